/**
 * Decided otherwise:
 * - RPT-05 keys are sorted without recursion, so that deep arguments do not overflow the stack.
 * - RPT-07 a call without a caller is counted in its scope: nobody must be named for the reminder to work.
 * - RPT-08 a new prompt is told by `reset`; what is counted is bounded, and holds no caller.
 */
import { createToolRegistry, type RepeatReminderOptions, repeatReminder, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { reminders, setupReminder } from './repeat-reminder-support.js'

describe('what the repeat reminder counts', () => {
  it('takes arguments for equal by all of their text, keys in any order, lists in theirs (RPT-05)', async () => {
    const long = 'x'.repeat(2_000)
    const equal: [unknown, unknown][] = [
      [{ a: 1, b: { c: [1, { d: 2, e: 3 }], f: 4 } }, '{"b":{"f":4,"c":[1,{"e":3,"d":2}]},"a":1}'],
      [{ a: 1.0 }, '{"a":1e0}'],
      [{}, '  '],
    ]
    const different: [unknown, unknown][] = [
      [{ a: [1, 2] }, { a: [2, 1] }],
      [{ a: 1 }, { a: '1' }],
      [{ a: `${long}1` }, { a: `${long}2` }],
      [{ a: null }, {}],
    ]
    for (const [one, other] of equal) {
      const { call } = setupReminder({ thresholds: [2] })
      await call('read', one)
      expect(reminders(await call('read', other))).toHaveLength(1)
    }
    for (const [one, other] of different) {
      const { call } = setupReminder({ thresholds: [2] })
      await call('read', one)
      expect(reminders(await call('read', other))).toEqual([])
    }
  })

  it('compares arguments that are thousands of levels deep (RPT-05)', async () => {
    const { fires } = setupReminder({ thresholds: [2] })
    expect(await fires(2, 'read', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).toEqual([2])
  })

  it('begins anew after another call, and does not see the calls it does not count (RPT-06)', async () => {
    const { call, fires } = setupReminder({ thresholds: [3], exclude: ['wr*e', 'no.such*'] })
    await call('read')
    await call('write')
    await call('read')
    await call('write')
    expect(await fires(1, 'read')).toEqual([1])
    await call('read', { path: 'other' })
    expect(await fires(3, 'read')).toEqual([3])
    expect(await fires(5, 'write')).toEqual([])
  })

  it.each<[RepeatReminderOptions, string[], string[]]>([
    [{ include: ['file.*'] }, ['file.read', 'file.'], ['fileXread', 'my.file.read']],
    [{ include: ['*'] }, ['read', 'a b', '.*'], []],
    [
      { include: ['*file*read*'] },
      ['file_read', 'my_file_to_read_now'],
      ['read_file', 'file', 'fileread'.slice(1)],
    ],
    [{ include: ['a*a'] }, ['aa', 'aba'], ['a', 'ab', 'ba']],
    [{ include: ['a**b'] }, ['ab', 'axb'], ['a']],
    [{ include: ['r[e]ad', 'x+'] }, ['r[e]ad', 'x+'], ['read', 'xx']],
    [{ include: ['file.*'], exclude: ['file.read'] }, ['file.write'], ['file.read', 'read']],
    [{ include: [] }, [], ['read']],
  ])('counts by names where only * stands for something else: %j (RPT-06)', async (options, counted, not) => {
    const { fires } = setupReminder({ thresholds: [2], ...options })
    for (const name of counted) expect([name, await fires(2, name)]).toEqual([name, [2]])
    for (const name of not) expect([name, await fires(2, name)]).toEqual([name, []])
  })

  it('matches names in no time, however they are made (RPT-06)', async () => {
    const { fires } = setupReminder({ thresholds: [2], include: [`${'*a'.repeat(50)}*b`] })
    expect(await fires(2, 'a'.repeat(50_000))).toEqual([])
  })

  it('counts what was denied, guarded, failed, blocked and unknown (RPT-07)', async () => {
    const refuse: Stages = {
      preExecute: ({ name }, next) => (name === 'read' ? { kind: 'deny', reason: 'no' } : next()),
      guard: ({ name }) => (name === 'write' ? 'no' : undefined),
    }
    const { fires, read, write } = setupReminder({ thresholds: [3] }, [refuse])
    for (const name of ['read', 'write', 'ghost']) expect(await fires(3, name)).toEqual([3])
    expect([read.runs(), write.runs()]).toEqual([0, 0])
    const blocking: Stages = { postExecute: () => ({ kind: 'block', feedback: [] }) }
    expect(await setupReminder({ thresholds: [3] }, [blocking]).fires(3, 'read')).toEqual([3])
  })

  it('reminds a model that asks again for what was rejected (RPT-07)', async () => {
    const reminder = repeatReminder()
    const gated = countedTool('gated')
    let asked = 0
    const registry = createToolRegistry({
      tools: [gated],
      stages: [reminder, { preExecute: () => ({ kind: 'ask' }) }],
      approve: () => {
        asked++
        return 'rejected'
      },
    })
    const results = await registry.executeAll(
      Array.from({ length: 5 }, (_, i) => ({ callId: `${i}`, name: 'gated' })),
    )
    expect(results.map(result => reminders(result).length)).toEqual([0, 0, 1, 0, 1])
    expect([asked, gated.runs()]).toEqual([5, 0])
  })

  it('counts the calls of programs, whose reminders travel on the outer result (RPT-07)', async () => {
    const read = countedTool('read')
    const registry = createToolRegistry({
      tools: [read],
      stages: [repeatReminder({ exclude: ['run_code'] })],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    const run = (code: string) =>
      registry.execute({ callId: '1', name: 'run_code', arguments: { code, description: 'Reads' } })
    expect(reminders(await run('await tools.read({}); await tools.read({})'))).toEqual([])
    const result = await run('await tools.read({})')
    expect(reminders(result)).toEqual([expect.stringContaining('The same call was made 3 times')])
    expect([result.isError, read.runs()]).toEqual([false, 3])
    await registry.dispose()
  })

  it('begins anew after a reset, for all or for those that are named (RPT-08)', async () => {
    const ada = { name: 'Ada' }
    const { reminder, fires } = setupReminder({ thresholds: [2] })
    const places = [{ scope: 'a', caller: ada }, { scope: 'b', caller: ada }, { scope: 'a' }]
    const afterwards = async (filter?: Parameters<typeof reminder.reset>[0]) => {
      reminder.reset()
      for (const place of places) await fires(1, 'read', {}, place)
      if (filter !== undefined) reminder.reset(filter)
      const fired: boolean[] = []
      for (const place of places) fired.push((await fires(1, 'read', {}, place)).length > 0)
      return fired
    }
    expect(await afterwards()).toEqual([true, true, true])
    expect(await afterwards({})).toEqual([false, false, false])
    expect(await afterwards({ scope: 'a' })).toEqual([false, true, false])
    expect(await afterwards({ caller: ada })).toEqual([false, false, true])
    expect(await afterwards({ scope: 'a', caller: ada })).toEqual([false, true, true])
    expect(await afterwards({ caller: { ...ada } })).toEqual([true, true, true])
    expect(() => reminder.reset({ callers: [ada] } as never)).toThrow('reset has no option "callers"')
  })

  it('forgets the chain unused for longest when there are too many (RPT-08)', async () => {
    const { fires } = setupReminder({ thresholds: [2] })
    for (let i = 0; i < 1_000; i++) await fires(1, 'read', {}, { caller: i })
    expect(await fires(1, 'read', {}, { caller: 0 })).toEqual([1])
    // The thousand-and-first takes the place of the one that is oldest now.
    await fires(1, 'read', {}, { caller: 1_000 })
    expect(await fires(1, 'read', {}, { caller: 2 })).toEqual([1])
    expect(await fires(1, 'read', {}, { caller: 1 })).toEqual([])
  })

  it('holds no more than one set of huge arguments (RPT-08)', async () => {
    const { fires } = setupReminder({ thresholds: [2] })
    const huge = { text: 'x'.repeat(10 * 1024 * 1024) }
    await fires(1, 'read', huge, { caller: 'a' })
    await fires(1, 'read', {}, { caller: 'small' })
    await fires(1, 'read', huge, { caller: 'b' })
    expect(await fires(1, 'read', huge, { caller: 'b' })).toEqual([1])
    expect(await fires(1, 'read', {}, { caller: 'small' })).toEqual([1])
    expect(await fires(1, 'read', huge, { caller: 'a' })).toEqual([])
  })
})

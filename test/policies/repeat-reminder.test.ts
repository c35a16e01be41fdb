/**
 * Decided otherwise:
 * - RPT-01 counted for each scope and caller; there is no agent.
 * - RPT-05 keys are sorted without recursion, so that deep arguments do not overflow the stack.
 * - RPT-07 a call without a caller is counted in its scope: nobody must be named for the reminder to work.
 * - RPT-08 a new prompt is told by `reset`; what is counted is bounded, and holds no caller.
 */
import {
  type AdditionalContext,
  createToolRegistry,
  type RepeatReminderOptions,
  repeatReminder,
  type Stages,
  type ToolExecutionResult,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const words = (context: AdditionalContext): string =>
  context.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
const reminders = (result: ToolExecutionResult): string[] =>
  (result.additionalContexts ?? []).filter(({ source }) => source === 'repeat-reminder').map(words)

function setup(options?: RepeatReminderOptions, stages: readonly Stages[] = []) {
  const reminder = repeatReminder(options)
  const read = countedTool('read')
  const write = countedTool('write')
  const registry = createToolRegistry({
    tools: [read, write],
    stages: [reminder, ...stages],
    scopes: [{ id: 'a' }, { id: 'b' }],
  })
  let calls = 0
  const call = async (name: string, args: unknown = {}, rest: { scope?: string; caller?: unknown } = {}) =>
    registry.execute({ callId: `${++calls}`, name, arguments: args, ...rest })
  /** At which of so many equal calls the model was reminded. */
  const fires = async (times: number, ...input: Parameters<typeof call>) => {
    const at: number[] = []
    for (let i = 1; i <= times; i++) if (reminders(await call(...input)).length > 0) at.push(i)
    return at
  }
  return { reminder, registry, read, write, call, fires }
}

describe('the repeat reminder', () => {
  it('counts equal calls in a row for each scope and caller, and blocks nothing (RPT-01)', async () => {
    const { fires, read } = setup({ thresholds: [2] })
    const ada = { name: 'Ada' }
    const places = [
      {},
      { scope: 'a' },
      { scope: 'b' },
      { caller: ada },
      { caller: { ...ada } },
      { caller: 'ada' },
      { caller: 1 },
      { caller: '1' },
      { caller: Symbol('ada') },
      { caller: Symbol.for('ada') },
      { caller: () => ada },
    ]
    for (const place of places) expect(await fires(1, 'read', {}, place)).toEqual([])
    // Each of them has made the call once; none was counted for another.
    for (const place of places) {
      expect(await fires(1, 'read', {}, place)).toEqual([1])
      expect(await fires(1, 'write', {}, place)).toEqual([])
    }
    expect(read.runs()).toBe(2 * places.length)
  })

  it('fires at exactly 3, 5 and 8 by default and is silent beyond (RPT-02)', async () => {
    expect(await setup().fires(20, 'read')).toEqual([3, 5, 8])
    expect(await setup({ thresholds: [2, 4] }).fires(10, 'read')).toEqual([2, 4])
  })

  it('nudges first, and later names tool, count and arguments, cut with a count (RPT-03)', async () => {
    const { call } = setup({ thresholds: [2, 3], argumentsPreviewChars: 10 })
    const args = { path: 'a/very/long/path' }
    await call('read', args)
    const [first = ''] = reminders(await call('read', args))
    expect(first).toMatch(/^The same call was made 2 times in a row\./)
    expect(first).not.toContain('path')
    const [second = ''] = reminders(await call('read', args))
    expect(second).toContain('Tool "read" was called 3 times in a row with the same arguments')
    // {"path":"a/very/long/path"} has 27 characters.
    expect(second).toContain('{"path":"a… [17 more characters]')
    expect(second).not.toContain('a/')
  })

  it.each([
    [26, '{"path":"a/very/long/path"… [1 more characters]'],
    [27, '{"path":"a/very/long/path"}\n'],
    [1, '{… [26 more characters]'],
  ])('shows %i characters of the arguments and counts the rest (RPT-03)', async (chars, shown) => {
    const { call } = setup({ thresholds: [2, 3], argumentsPreviewChars: chars })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('read', { path: 'a/very/long/path' }))
    expect(last[0]).toContain(shown)
  })

  it('cuts no character outside the first plane in two (RPT-03)', async () => {
    const { call } = setup({ thresholds: [2, 3], argumentsPreviewChars: 7 })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('read', { a: '😀😀' }))
    expect(last[0]).toContain('{"a":"… [6 more characters]')
  })

  it('shows 500 characters by default, and no more of a name than a reader needs (RPT-03)', async () => {
    const { call } = setup({ thresholds: [2, 3] })
    let last: string[] = []
    for (let i = 0; i < 3; i++) last = reminders(await call('x'.repeat(1_000), { a: 'y'.repeat(1_000) }))
    expect(last[0]).toContain(`{"a":"${'y'.repeat(494)}… [508 more characters]`)
    expect(last[0]).toContain(`"${'x'.repeat(80)}… [920 more characters]"`)
  })

  it.each<[string, unknown]>([
    ['no thresholds', { thresholds: [] }],
    ['a fraction', { thresholds: [2.5] }],
    ['one', { thresholds: [1, 3] }],
    ['a number as text', { thresholds: ['3'] }],
    ['no number', { thresholds: [Number.NaN] }],
    ['an endless one', { thresholds: [Number.POSITIVE_INFINITY] }],
    ['a hole', { thresholds: new Array(1) }],
    ['a number twice', { thresholds: [3, 3] }],
    ['no list', { thresholds: 3 }],
    ['null for a list', { thresholds: null }],
    ['a preview of nothing', { argumentsPreviewChars: 0 }],
    ['a fraction of a character', { argumentsPreviewChars: 1.5 }],
    ['an endless preview', { argumentsPreviewChars: Number.POSITIVE_INFINITY }],
    ['names that are no list', { include: 'read' }],
    ['an empty name', { exclude: [''] }],
    ['a name that is none', { include: [1] }],
    ['a misspelt option', { treshold: [3] }],
    ['null', null],
    ['a list', []],
  ])('refuses %s (RPT-04)', (_what, options) => {
    expect(() => repeatReminder(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })

  it('names the options it has when it is given another (RPT-04)', () => {
    expect(() => repeatReminder({ limit: 3 } as never)).toThrow(
      'repeatReminder has no option "limit"; it has thresholds, argumentsPreviewChars, include, exclude',
    )
  })

  it('sorts thresholds, and keeps none that are changed afterwards (RPT-04)', async () => {
    const thresholds = [5, 2]
    const { fires } = setup({ thresholds })
    thresholds.push(3)
    expect(await fires(6, 'read')).toEqual([2, 5])
  })

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
      const { call } = setup({ thresholds: [2] })
      await call('read', one)
      expect(reminders(await call('read', other))).toHaveLength(1)
    }
    for (const [one, other] of different) {
      const { call } = setup({ thresholds: [2] })
      await call('read', one)
      expect(reminders(await call('read', other))).toEqual([])
    }
  })

  it('compares arguments that are thousands of levels deep (RPT-05)', async () => {
    const { fires } = setup({ thresholds: [2] })
    expect(await fires(2, 'read', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)).toEqual([2])
  })

  it('begins anew after another call, and does not see the calls it does not count (RPT-06)', async () => {
    const { call, fires } = setup({ thresholds: [3], exclude: ['wr*e', 'no.such*'] })
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
    const { fires } = setup({ thresholds: [2], ...options })
    for (const name of counted) expect([name, await fires(2, name)]).toEqual([name, [2]])
    for (const name of not) expect([name, await fires(2, name)]).toEqual([name, []])
  })

  it('matches names in no time, however they are made (RPT-06)', async () => {
    const { fires } = setup({ thresholds: [2], include: [`${'*a'.repeat(50)}*b`] })
    expect(await fires(2, 'a'.repeat(50_000))).toEqual([])
  })

  it('counts what was denied, guarded, failed, blocked and unknown (RPT-07)', async () => {
    const refuse: Stages = {
      preExecute: ({ name }, next) => (name === 'read' ? { kind: 'deny', reason: 'no' } : next()),
      guard: ({ name }) => (name === 'write' ? 'no' : undefined),
    }
    const { fires, read, write } = setup({ thresholds: [3] }, [refuse])
    for (const name of ['read', 'write', 'ghost']) expect(await fires(3, name)).toEqual([3])
    expect([read.runs(), write.runs()]).toEqual([0, 0])
    const blocking: Stages = { postExecute: () => ({ kind: 'block', feedback: [] }) }
    expect(await setup({ thresholds: [3] }, [blocking]).fires(3, 'read')).toEqual([3])
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
    const { reminder, fires } = setup({ thresholds: [2] })
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
    const { fires } = setup({ thresholds: [2] })
    for (let i = 0; i < 1_000; i++) await fires(1, 'read', {}, { caller: i })
    expect(await fires(1, 'read', {}, { caller: 0 })).toEqual([1])
    // The thousand-and-first takes the place of the one that is oldest now.
    await fires(1, 'read', {}, { caller: 1_000 })
    expect(await fires(1, 'read', {}, { caller: 2 })).toEqual([1])
    expect(await fires(1, 'read', {}, { caller: 1 })).toEqual([])
  })

  it('holds no more than one set of huge arguments (RPT-08)', async () => {
    const { fires } = setup({ thresholds: [2] })
    const huge = { text: 'x'.repeat(10 * 1024 * 1024) }
    await fires(1, 'read', huge, { caller: 'a' })
    await fires(1, 'read', {}, { caller: 'small' })
    await fires(1, 'read', huge, { caller: 'b' })
    expect(await fires(1, 'read', huge, { caller: 'b' })).toEqual([1])
    expect(await fires(1, 'read', {}, { caller: 'small' })).toEqual([1])
    expect(await fires(1, 'read', huge, { caller: 'a' })).toEqual([])
  })

  it('stands before the contexts of stages further in, whose decision is kept (RPT-09)', async () => {
    const note = (source: string) => [{ source, content: [{ type: 'text', text: source }] }] as const
    const kept: [string, Stages['postExecute'], unknown][] = [
      ['accepted', () => ({ kind: 'accept', additionalContexts: note('inner') }), 'ok: done'],
      [
        'shown otherwise',
        () => ({
          kind: 'accept',
          content: [{ type: 'text', text: 'other' }],
          additionalContexts: note('inner'),
        }),
        'ok: other',
      ],
      ['replaced', () => ({ kind: 'accept', value: 'new', additionalContexts: note('inner') }), 'ok: new'],
      [
        'blocked',
        () => ({
          kind: 'block',
          feedback: [{ type: 'text', text: 'stop' }],
          additionalContexts: note('inner'),
        }),
        'BLOCKED: stop',
      ],
    ]
    for (const [what, postExecute, shown] of kept) {
      const { call } = setup({ thresholds: [2] }, [{ postExecute: postExecute as never }])
      await call('read')
      const result = await call('read')
      const [block] = result.content
      const text = block?.type === 'text' ? block.text : ''
      expect([what, `${result.isError ? result.error.code : 'ok'}: ${text}`]).toEqual([what, shown])
      expect(result.additionalContexts?.map(({ source }) => source)).toEqual(['repeat-reminder', 'inner'])
    }
  })

  it('has counted a call before the stages further in are asked (RPT-09)', async () => {
    let broken = true
    const { call } = setup({ thresholds: [2] }, [
      {
        postExecute: (_call, _result, next) => {
          if (broken) throw new Error('inner')
          return next()
        },
      },
    ])
    expect((await call('read')).isError).toBe(true)
    broken = false
    expect(reminders(await call('read'))).toHaveLength(1)
  })
})

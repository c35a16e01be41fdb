/**
 * Decided otherwise:
 * - SCH-10 a call that was not started has a result, and nothing else tells of it.
 * - SCH-13 batches have no event of a start; a program's calls have `subcall:start`, before policy.
 * - SCH-14 the wish stands on each result; the caller looks.
 */
import { createToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'
import { call, codeOf, gated, SAFE, setup } from './support.js'

afterEach(() => vi.restoreAllMocks())

describe('a batch', () => {
  it('after an abort starts nothing, awaits what runs with its contexts, and answers for the rest in order (SCH-10)', async () => {
    const started = gate()
    const slow = countedTool(
      'slow',
      async (_args, context) => {
        context.deferContext({ source: `from ${context.callId}`, content: [] })
        await started.promise
      },
      SAFE,
    )
    const never = countedTool('never')
    const { registry } = setup({ max: 2, tools: [slow, never] })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const controller = new AbortController()
    const inputs = [
      call('1', 'slow'),
      call('2', 'slow'),
      call('3', 'slow'),
      call('4', 'never'),
      call('5', 'slow'),
    ]
    const pending = registry.executeAll(inputs, { signal: controller.signal })
    await settle()
    controller.abort()
    await settle()
    expect(heard).toEqual([])
    started.open()
    const results = await pending
    expect(results.map(codeOf)).toEqual([
      'ABORTED',
      'ABORTED',
      'ABORTED_BEFORE_DISPATCH',
      'ABORTED_BEFORE_DISPATCH',
      'ABORTED_BEFORE_DISPATCH',
    ])
    expect(results.map(result => result.additionalContexts?.map(({ source }) => source))).toEqual([
      ['from 1'],
      ['from 2'],
      undefined,
      undefined,
      undefined,
    ])
    expect(heard).toEqual(['1', '2', '3', '4', '5'])
    expect([slow.runs(), never.runs()]).toEqual([2, 0])
  })

  it('drains what runs and rejects with what broke it, once the host itself is broken (SCH-11)', async () => {
    const broken = new Error('no randomness here')
    const bodies = gated()
    const never = countedTool('never', undefined, SAFE)
    const registry = createToolRegistry({ tools: [bodies.tool('read', SAFE), never] })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      throw broken
    })
    // A call without an id needs one made for it.
    const inputs = [call('1', 'read'), { name: 'read' } as never, call('3', 'never')]
    let end: unknown
    const pending = registry.executeAll(inputs).then(
      results => (end = results),
      error => (end = error),
    )
    await settle()
    expect([bodies.running(), end]).toEqual([['1'], undefined])
    await bodies.open('1')
    await pending
    expect(end).toBe(broken)
    expect([heard, never.runs()]).toEqual([['1'], 0])

    const seen: string[] = []
    const each = async (): Promise<void> => {
      for await (const result of registry.executeEach(inputs)) seen.push(result.callId)
    }
    const rejected = expect(each()).rejects.toBe(broken)
    await settle()
    await bodies.open('1')
    await rejected
    expect([seen, never.runs()]).toEqual([['1'], 0])
  })

  it('gives each call a record of its own (SCH-13)', async () => {
    const records: object[] = []
    const { registry, open } = setup({
      stages: [{ preExecute: (record, next) => (records.push(record, record.token), next()) }],
    })
    const args = {}
    const pending = registry.executeAll([call('1', 'read', args), call('2', 'read', args)])
    await settle()
    await open('1', '2')
    await pending
    expect(new Set(records).size).toBe(4)
  })

  it("tells the start of a program's call before policy sees it (SCH-13)", async () => {
    const log: string[] = []
    const registry = createToolRegistry({
      tools: [countedTool('read')],
      stages: [{ preExecute: ({ name }, next) => (log.push(`pre ${name}`), next()) }],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    registry.on('subcall:start', ({ name }) => log.push(`start ${name}`))
    await registry.execute(call('1', 'run_code', { code: 'await tools.read({})', description: 'Reads' }))
    expect(log).toEqual(['pre run_code', 'start read', 'pre read'])
    await registry.dispose()
  })

  it('says on its result which call wishes to conclude the turn (SCH-14)', async () => {
    const concludes = countedTool('concludes', (_args, context) => {
      context.concludeTurn()
      if (context.callId === '2') throw new Error('no')
      return 'ok'
    })
    const { registry, open } = setup({ tools: [concludes] })
    const pending = registry.executeAll([call('1', 'concludes'), call('2', 'concludes'), call('3', 'read')])
    await settle()
    await open('3')
    const results = await pending
    expect(results.map(result => !result.isError && result.concludesTurn === true)).toEqual([
      true,
      false,
      false,
    ])
  })
})

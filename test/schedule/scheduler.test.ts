/**
 * Decided otherwise:
 * - SCH-01 neither strictly one after the other nor by groups: barriers, and between them a pool that rolls.
 * - SCH-02 beside `isConcurrencySafe` a tool may name the resources that a call touches (resource-keys.test.ts).
 * - SCH-03 classifiers get the frozen arguments that will run, and those of `defineTool` only valid ones.
 * - SCH-10 a call that was not started has a result, and nothing else tells of it.
 * - SCH-12 text that is no JSON is ARGUMENTS_NOT_JSON; nobody is handed it in place of arguments.
 * - SCH-13 batches have no event of a start; a program's calls have `subcall:start`, before policy.
 * - SCH-14 the wish stands on each result; the caller looks.
 */
import { createToolRegistry, defineTool, type Stages, type ToolDefinition } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countedTool, gate, isDeepFrozen, settle } from '../support/tools.js'
import { call, codeOf, gated, SAFE } from './support.js'

afterEach(() => vi.restoreAllMocks())

function setup(
  options: { max?: number; stages?: readonly Stages[]; tools?: readonly ToolDefinition[] } = {},
) {
  const bodies = gated()
  const registry = createToolRegistry({
    tools: [bodies.tool('read', SAFE), bodies.tool('write'), ...(options.tools ?? [])],
    stages: options.stages ?? [],
    ...(options.max !== undefined && { maxParallelCalls: options.max }),
  })
  return { registry, ...bodies }
}

/** Notes the step of the pipeline that a call takes. */
const noting = (log: string[]): Stages => ({
  preExecute: async ({ callId }, next) => {
    log.push(`pre ${callId}`)
    await settle()
    log.push(`pre done ${callId}`)
    return next()
  },
  guard: ({ callId }) => void log.push(`guard ${callId}`),
  postExecute: async ({ callId }, _result, next) => {
    log.push(`post ${callId}`)
    await settle()
    log.push(`post done ${callId}`)
    return next()
  },
  onResult: ({ callId }) => void log.push(`result ${callId}`),
})

describe('the scheduler', () => {
  it('lets calls overlap between barriers (SCH-01)', async () => {
    const { registry, running, open } = setup()
    const pending = registry.executeAll([call('1', 'read'), call('2', 'read'), call('3', 'write')])
    await settle()
    expect(running()).toEqual(['1', '2'])
    await open('2', '1', '3')
    expect((await pending).map(codeOf)).toEqual(['ok', 'ok', 'ok'])
  })

  it('takes a call for safe only on an exact true about arguments of its own (SCH-02)', async () => {
    const answers: [string, ToolDefinition['isConcurrencySafe'] | undefined][] = [
      ['absent', undefined],
      ['false', () => false],
      ['one', () => 1 as never],
      ['text', () => 'true' as never],
      ['a true object', () => new Boolean(true) as never],
      ['a promise', () => Promise.resolve(true) as never],
      ['a rejection', () => Promise.reject(new Error('no')) as never],
      [
        'a throw',
        () => {
          throw new Error('no')
        },
      ],
    ]
    const registry = createToolRegistry({
      tools: answers.map(([name, isConcurrencySafe]) =>
        countedTool(name, undefined, isConcurrencySafe && { isConcurrencySafe }),
      ),
    })
    for (const [name] of answers)
      expect([name, registry.executionMode(call('1', name))]).toEqual([name, { kind: 'exclusive' }])
  })

  it('takes unknown, masked, collapsed, malformed and invalid calls for exclusive (SCH-02)', async () => {
    const typed = defineTool({
      name: 'typed',
      description: 'Typed.',
      parameters: { n: { type: 'number', required: true } },
      isConcurrencySafe: ({ n }) => n.toFixed(1) === '1.0',
      execute: () => 'ok',
    })
    const registry = createToolRegistry({
      tools: [countedTool('read', undefined, SAFE), typed],
      scopes: [
        { id: 'masked', restrict: { deny: ['read'] } },
        { id: 'code', mode: 'code' },
      ],
      codeRuntime: quickJsRuntime(),
    })
    const exclusive = { kind: 'exclusive' }
    const mode = (input: unknown) => registry.executionMode(input as never)
    expect(mode(call('1', 'read'))).toEqual({ kind: 'parallel' })
    expect(mode(call('1', 'typed', { n: 1 }))).toEqual({ kind: 'parallel' })
    expect(mode(call('1', 'typed', { n: 2 }))).toEqual(exclusive)
    expect(mode(call('1', 'typed', { n: 'one' }))).toEqual(exclusive)
    expect(mode(call('1', 'typed'))).toEqual(exclusive)
    expect(mode(call('1', 'read', '{"cut": '))).toEqual(exclusive)
    expect(mode(call('1', 'read', { lossy: undefined }))).toEqual(exclusive)
    expect(mode(call('1', 'ghost'))).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'masked' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'code' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), scope: 'nowhere' })).toEqual(exclusive)
    expect(mode({ ...call('1', 'read'), signal: 'none' })).toEqual(exclusive)
    expect(mode(null)).toEqual(exclusive)
    // What is asked from inside a program is not collapsed for it; the parent is judged when the call is made.
    expect(mode({ ...call('1', 'read'), scope: 'code', parent: {} })).toEqual({ kind: 'parallel' })
    await registry.dispose()
  })

  it('tells the mode of a call by its frozen arguments, without a call (SCH-03)', () => {
    const seen: unknown[] = []
    const tool = countedTool('read', undefined, {
      isConcurrencySafe: args => {
        seen.push(args)
        return isDeepFrozen(args)
      },
    })
    const registry = createToolRegistry({ tools: [tool] })
    const args = { deep: { list: [1] } }
    expect(registry.executionMode(call('1', 'read', args))).toEqual({ kind: 'parallel' })
    expect(registry.executionMode(call('1', 'read', '{"deep":{"list":[1]}}'))).toEqual({ kind: 'parallel' })
    expect(seen).toEqual([args, args])
    expect(seen[0]).not.toBe(args)
    expect(tool.runs()).toBe(0)
  })

  it('runs an exclusive call alone, a barrier both ways (SCH-04)', async () => {
    const { registry, running, open } = setup()
    const names = ['read', 'read', 'write', 'write', 'read', 'read']
    const pending = registry.executeAll(names.map((name, i) => call(`${i}`, name)))
    const seen: string[][] = []
    const look = async (...ids: string[]) => {
      await settle()
      seen.push(running())
      await open(...ids)
    }
    await look('0')
    await look('1')
    await look('2')
    await look('3')
    await look('5', '4')
    expect(seen).toEqual([['0', '1'], ['1'], ['2'], ['3'], ['4', '5']])
    await pending
  })

  it.each([
    [undefined, 10],
    [1, 1],
    [3, 3],
    [50, 12],
  ])('has a pool of maxParallelCalls %s: %i of twelve calls run (SCH-04)', async (max, expected) => {
    const { registry, running, open } = setup(max === undefined ? {} : { max })
    const ids = Array.from({ length: 12 }, (_, i) => `${i}`)
    const pending = registry.executeAll(ids.map(id => call(id, 'read')))
    await settle()
    expect(running()).toEqual(ids.slice(0, expected))
    for (const id of ids) await open(id)
    expect((await pending).map(codeOf)).toEqual(ids.map(() => 'ok'))
  })

  it('lets a batch have another pool than its registry, of one call at least (SCH-04)', async () => {
    const { registry, running, open } = setup({ max: 1 })
    const pending = registry.executeAll([call('1', 'read'), call('2', 'read')], { maxParallel: 2 })
    await settle()
    expect(running()).toEqual(['1', '2'])
    await open('1', '2')
    await pending
    for (const maxParallel of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2']) {
      const invalid = expect.objectContaining({ code: 'INVALID_OPTIONS' })
      await expect(registry.executeAll([], { maxParallel: maxParallel as never })).rejects.toEqual(invalid)
      expect(() => createToolRegistry({ maxParallelCalls: maxParallel as never })).toThrow(invalid)
    }
  })

  it('fills a slot as soon as any call ends, whichever it is (SCH-05)', async () => {
    const { registry, running, open } = setup({ max: 2 })
    const pending = registry.executeAll(['1', '2', '3', '4', '5'].map(id => call(id, 'read')))
    await settle()
    const seen = [running()]
    for (const id of ['2', '3', '4']) {
      await open(id)
      seen.push(running())
    }
    expect(seen).toEqual([
      ['1', '2'],
      ['1', '3'],
      ['1', '4'],
      ['1', '5'],
    ])
    await open('5', '1')
    await pending
  })

  it('lets nothing but bodies overlap: policy and observers see one call at a time, in order (SCH-06)', async () => {
    const log: string[] = []
    const { registry, open, running } = setup({ stages: [noting(log)] })
    const pending = registry.executeAll(['1', '2', '3'].map(id => call(id, 'read')))
    while (running().length < 3) await settle()
    await open('3', '1')
    await open('2')
    await pending
    const opened = ['1', '2', '3'].flatMap(id => [`pre ${id}`, `pre done ${id}`, `guard ${id}`])
    const closed = ['1', '2', '3'].flatMap(id => [`post ${id}`, `post done ${id}`, `result ${id}`])
    expect(log).toEqual([...opened, ...closed])
  })

  it('asks no policy about a call while another one is judged afterwards (SCH-06)', async () => {
    const log: string[] = []
    const { registry, open, running } = setup({ max: 1, stages: [noting(log)] })
    const pending = registry.executeAll(['1', '2'].map(id => call(id, 'read')))
    for (const id of ['1', '2']) {
      while (running().length === 0) await settle()
      await open(id)
    }
    await pending
    expect(log).toEqual(
      ['1', '2'].flatMap(id => [
        `pre ${id}`,
        `pre done ${id}`,
        `guard ${id}`,
        `post ${id}`,
        `post done ${id}`,
        `result ${id}`,
      ]),
    )
  })

  it('commits results and contexts in order: a fast call waits for the slow one before it (SCH-07)', async () => {
    const first = gate()
    const defers = countedTool(
      'defers',
      async (_args, context) => {
        if (context.callId === '1') await first.promise
        context.deferContext({ source: context.callId, content: [] })
      },
      SAFE,
    )
    const { registry } = setup({ tools: [defers] })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const pending = registry.executeAll(['1', '2', '3'].map(id => call(id, 'defers')))
    await settle()
    expect([defers.runs(), heard]).toEqual([3, []])
    first.open()
    const results = await pending
    expect(heard).toEqual(['1', '2', '3'])
    expect(results.map(result => result.additionalContexts?.map(({ source }) => source))).toEqual([
      ['1'],
      ['2'],
      ['3'],
    ])
  })

  it('classifies a call when it could start: what an earlier body or observer registered counts (SCH-08)', async () => {
    const { registry, running, open } = setup({
      tools: [
        countedTool('install', () => {
          registry.register(bodies.tool('late', SAFE))
        }),
      ],
    })
    const bodies = gated()
    registry.once('result', () => registry.register(bodies.tool('heard', SAFE)))
    const pending = registry.executeAll([
      call('1', 'install'),
      call('2', 'late'),
      call('3', 'heard'),
      call('4', 'read'),
    ])
    await settle()
    expect([bodies.running(), running()]).toEqual([['2', '3'], ['4']])
    await open('4')
    await bodies.open('2', '3')
    expect((await pending).map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('lets a call that turned exclusive wait until the pool is empty (SCH-08)', async () => {
    let safe = true
    const bodies = gated()
    const registry = createToolRegistry({
      tools: [bodies.tool('fickle', { isConcurrencySafe: () => safe })],
      maxParallelCalls: 2,
    })
    const pending = registry.executeAll(['1', '2', '3', '4'].map(id => call(id, 'fickle')))
    await settle()
    expect(bodies.running()).toEqual(['1', '2'])
    safe = false
    await bodies.open('1')
    expect(bodies.running()).toEqual(['2'])
    await bodies.open('2')
    expect(bodies.running()).toEqual(['3'])
    safe = true
    await bodies.open('3')
    expect(bodies.running()).toEqual(['4'])
    await bodies.open('4')
    await pending
  })

  it('gives no slot to a call that ended in preparation, and commits it in order (SCH-09)', async () => {
    const denied = countedTool('denied', undefined, SAFE)
    const invalid = defineTool({
      name: 'invalid',
      description: 'Has arguments.',
      parameters: { n: { type: 'number', required: true } },
      isConcurrencySafe: () => true,
      execute: () => 'never',
    })
    const { registry, running, open } = setup({
      max: 2,
      tools: [denied, invalid],
      stages: [
        {
          preExecute: ({ name }, next) => (name === 'denied' ? { kind: 'deny', reason: 'no' } : next()),
        },
      ],
    })
    const heard: string[] = []
    registry.on('result', ({ callId }) => heard.push(callId))
    const pending = registry.executeAll([
      call('1', 'read'),
      call('2', 'denied'),
      call('3', 'denied'),
      call('4', 'read'),
    ])
    await settle()
    expect([running(), heard]).toEqual([['1', '4'], []])
    await open('1')
    expect(heard).toEqual(['1', '2', '3'])
    await open('4')
    expect((await pending).map(codeOf)).toEqual(['ok', 'DENIED', 'DENIED', 'ok'])
    expect(denied.runs()).toBe(0)
  })

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

  it('runs empty arguments as none and nothing that is no JSON (SCH-12)', async () => {
    const seen: unknown[] = []
    const echo = countedTool('echo', args => void seen.push(args), SAFE)
    const registry = createToolRegistry({ tools: [echo] })
    const texts = ['', '  ', '{}', '{"a":1}', '{"a":', 'a']
    const results = await registry.executeAll(texts.map((text, i) => call(`${i}`, 'echo', text)))
    expect(results.map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'ARGUMENTS_NOT_JSON', 'ARGUMENTS_NOT_JSON'])
    expect(seen).toEqual([{}, {}, {}, { a: 1 }])
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

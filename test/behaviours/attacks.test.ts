/** What a reader who tried to break the promises of the README came upon. */
import { createToolRegistry, defineTool, rememberApprovals, type Stages } from 'toolgate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const CALL = { callId: '1', name: 'work' }
const never = (): Promise<never> => new Promise(() => {})

describe('an abort between two attempts', () => {
  const retry: Stages = {
    execute: async (_call, next) => {
      const first = await next()
      return first.isError ? next() : first
    },
  }

  it.each<[string, (caller: AbortController) => unknown, boolean]>([
    [
      'a body that is still running',
      caller => {
        caller.abort()
        return never()
      },
      false,
    ],
    [
      'a body that threw',
      caller => {
        caller.abort()
        throw new Error('x')
      },
      true,
    ],
  ])('says that the tool ran: %s', async (_what, body, bodyStopped) => {
    const caller = new AbortController()
    const tool = countedTool('work', () => body(caller))
    const registry = createToolRegistry({ tools: [tool], stages: [retry], abortGraceMs: 5 })
    const result = await registry.execute({ ...CALL, signal: caller.signal })
    expect(result).toMatchObject({ error: { code: 'ABORTED', details: { bodyStopped } } })
    expect(tool.runs()).toBe(1)
  })
})

describe('a disposed scope', () => {
  it('runs nothing of a tool, not even its last word', async () => {
    let finalized = 0
    const tool = countedTool('work', undefined, {
      finalizeContent: () => {
        finalized++
        return never()
      },
    })
    const registry = createToolRegistry({ tools: [tool], scopes: [{ id: 'a' }] })
    const scope = registry.scope('a')
    await scope.dispose()
    expect(await scope.execute(CALL)).toMatchObject({ error: { code: 'DISPOSED' } })
    expect([tool.runs(), finalized]).toEqual([0, 0])
  })

  it('lets every call of a batch that waits in it end', async () => {
    const started = gate()
    const tool = countedTool('work', async (_args, { signal }) => {
      started.open()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    })
    const hanging = { ...tool, finalizeContent: never } as typeof tool
    const registry = createToolRegistry({ tools: [hanging], scopes: [{ id: 'a' }], abortGraceMs: 5 })
    const scope = registry.scope('a')
    const batch = scope.executeAll([1, 2, 3].map(n => ({ callId: `${n}`, name: 'work' })))
    await started.promise
    const [results] = await Promise.all([batch, scope.dispose()])
    expect(results.map(result => result.isError)).toEqual([true, true, true])
    expect(tool.runs()).toBe(1)
  })
})

describe('one grace for each abort', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('serves all phases of a call', async () => {
    const caller = new AbortController()
    const tool = countedTool('work', never, { finalizeContent: never })
    const stage: Stages = {
      execute: async (_call, next) => {
        await next()
        return never()
      },
      postExecute: never,
    }
    const registry = createToolRegistry({ tools: [tool], stages: [stage], abortGraceMs: 1_000 })
    let ended = false
    const pending = registry.execute({ ...CALL, signal: caller.signal }).finally(() => {
      ended = true
    })
    await vi.advanceTimersByTimeAsync(0)
    caller.abort()
    await vi.advanceTimersByTimeAsync(1_249)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).toBe(true)
    expect(await pending).toMatchObject({ error: { code: 'ABORTED', details: { bodyStopped: false } } })
  })

  it('serves all calls of a batch', async () => {
    const caller = new AbortController()
    const tool = countedTool('work', never, { finalizeContent: never })
    const registry = createToolRegistry({ tools: [tool], abortGraceMs: 1_000 })
    const inputs = Array.from({ length: 20 }, (_, i) => ({ callId: `${i}`, name: 'work' }))
    let ended = false
    const pending = registry.executeAll(inputs, { signal: caller.signal }).finally(() => {
      ended = true
    })
    await vi.advanceTimersByTimeAsync(0)
    caller.abort()
    await vi.advanceTimersByTimeAsync(1_300)
    expect(ended).toBe(true)
    expect(await pending).toHaveLength(20)
    expect(tool.runs()).toBe(1)
  })

  it('bounds the disposal of a code runtime too', async () => {
    const registry = createToolRegistry({
      abortGraceMs: 1_000,
      codeRuntime: { run: never, dispose: never } as never,
      mode: 'code',
    })
    void registry.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code: 'return 1', description: 'Returns one' },
    })
    await vi.advanceTimersByTimeAsync(0)
    let disposed = false
    void registry.dispose().then(() => {
      disposed = true
    })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(disposed).toBe(true)
  })
})

it('an abort over calls nested five thousand deep ends them all', async () => {
  const deepest = gate()
  const caller = new AbortController()
  const tool = countedTool('work', async (args, context) => {
    if (args.left === 0) {
      deepest.open()
      await new Promise(resolve => context.signal.addEventListener('abort', resolve))
      return 'end'
    }
    const result = await registry.execute({
      callId: `${args.left}`,
      name: 'work',
      arguments: { left: args.left - 1 },
      signal: context.signal,
      parent: context.token,
    })
    return result.isError ? result.error.code : 'end'
  })
  const registry = createToolRegistry({ tools: [tool] })
  const pending = registry.execute({ ...CALL, arguments: { left: 5_000 }, signal: caller.signal })
  await deepest.promise
  caller.abort()
  expect(await pending).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
  expect(tool.runs()).toBe(5_001)
})

it('what is remembered for one registry serves no other', async () => {
  let asked = 0
  const approve = rememberApprovals(() => {
    asked++
    return 'allowed-for-session'
  })
  for (const _registry of [1, 2]) {
    const registry = createToolRegistry({
      tools: [countedTool('work')],
      stages: [{ preExecute: () => ({ kind: 'ask' }) }],
      approve,
    })
    await registry.execute(CALL)
    await registry.execute(CALL)
  }
  expect(asked).toBe(2)
})

it('a classifier of defineTool that rejects ends with the call and not with the process', async () => {
  const tool = defineTool({
    name: 'work',
    description: 'Works.',
    parameters: {},
    isConcurrencySafe: (async () => {
      throw new Error('asynchronous by mistake')
    }) as never,
    execute: () => 'done',
  })
  const registry = createToolRegistry({ tools: [tool] })
  expect(registry.executionMode(CALL)).toEqual({ kind: 'exclusive' })
  expect(await registry.executeAll([CALL])).toMatchObject([{ isError: false }])
  await settle()
})

it('progress that cannot be read changes nothing, whether somebody listens or not', async () => {
  for (const listens of [true, false]) {
    const tool = countedTool('work', (_args, { progress }) => {
      progress({
        get message(): string {
          throw new Error('boom')
        },
      })
      progress(undefined as never)
      return 'done'
    })
    const registry = createToolRegistry({ tools: [tool] })
    if (listens) registry.on('progress', () => {})
    expect(await registry.execute(CALL)).toMatchObject({ isError: false, value: 'done' })
  }
})

describe('lists that iterate over something else than they hold', () => {
  const list = <T>(...items: T[]): T[] =>
    Object.defineProperties(items, {
      [Symbol.iterator]: { value: function* (): Generator<T> {} },
      every: { value: () => true },
    })
  const deny: Stages = { guard: () => 'no' }

  it('mask, guard and register by what they hold', async () => {
    const tool = countedTool('work')
    const masked = createToolRegistry({
      tools: list(tool),
      scopes: list({ id: 'a', restrict: { deny: list('work') } }),
    })
    expect(masked.get('work')).toBeDefined()
    expect(masked.scope('a').get('work')).toBeUndefined()
    const guarded = createToolRegistry({ tools: [tool], stages: list(deny) })
    expect(await guarded.execute(CALL)).toMatchObject({ error: { code: 'GUARD_DENIED' } })
    const later = createToolRegistry({ tools: [tool] })
    later.use(list(deny))
    expect(await later.execute(CALL)).toMatchObject({ error: { code: 'GUARD_DENIED' } })
    expect(tool.runs()).toBe(0)
  })
})

it('a list of keys without end is no list: the call runs alone', () => {
  const tool = countedTool('work', undefined, { resourceKeys: () => new Array(4e9) })
  expect(createToolRegistry({ tools: [tool] }).executionMode(CALL)).toEqual({ kind: 'exclusive' })
})

it('the host’s words for an error are bounded as well', async () => {
  const tool = countedTool('work', () => {
    throw new Error('x')
  })
  const registry = createToolRegistry({ tools: [tool], describeError: () => 'x'.repeat(1_000_000) })
  const result = await registry.execute(CALL)
  expect(result.isError && result.error.message.length).toBeLessThan(70_000)
})

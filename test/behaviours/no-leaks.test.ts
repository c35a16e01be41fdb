import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  createToolRegistry,
  defineTool,
  type Stages,
  type ToolExecutionToken,
  ToolgateError,
  type ToolRegistry,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'

const CALLS = 100_000
const AT_ONCE = 100

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Counts what is put on a signal and taken off again, whoever does it. */
function countListeners(signal: AbortSignal) {
  const counts = { added: 0, removed: 0, most: 0 }
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    counts.added++
    counts.most = Math.max(counts.most, counts.added - counts.removed)
    return add(...args)
  }) as typeof add
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    counts.removed++
    return remove(...args)
  }) as typeof remove
  return counts
}

const activeTimers = (): number => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length

/** The timers that were set and neither ran nor were cleared; `restore` gives the clock back. */
function watchTimers() {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const left = new Set<unknown>()
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = set(() => {
      left.delete(timer)
      run(...args)
    }, ms)
    left.add(timer)
    return timer
  }) as typeof set
  globalThis.clearTimeout = (timer => {
    left.delete(timer)
    clear(timer)
  }) as typeof clear
  const restore = (): void => {
    globalThis.setTimeout = set
    globalThis.clearTimeout = clear
  }
  return { left, restore }
}

const policy: Stages = {
  preExecute: (call, next) => {
    if (call.name === 'denied') return { kind: 'deny', reason: 'no' }
    return call.name === 'asked' ? { kind: 'ask' } : next()
  },
  guard: call => (call.name === 'guarded' ? 'no' : undefined),
}

/** Every third call gets a signal of its own with a deadline, every other third a signal that aborts. */
const around: Stages = {
  execute: async (call, next) => {
    const turn = Number(call.callId) % 3
    if (turn === 0) return next()
    const own = new AbortController()
    const timer = setTimeout(() => own.abort(), 600_000)
    const outer = call.signal
    const follow = (): void => own.abort(outer.reason)
    outer.addEventListener('abort', follow)
    call.signal = own.signal
    if (turn === 2) queueMicrotask(() => own.abort('enough'))
    try {
      return await next()
    } finally {
      clearTimeout(timer)
      outer.removeEventListener('abort', follow)
    }
  },
}

function setup() {
  const tokens: WeakRef<ToolExecutionToken>[] = []
  const kept: ToolExecutionToken[] = []
  const waits = async (_args: unknown, call: { signal: AbortSignal; token: ToolExecutionToken }) => {
    if (tokens.length < 1_000) tokens.push(new WeakRef(call.token))
    if (kept.length < 1_000) kept.push(call.token)
    const stopped = new Promise<void>(resolve => call.signal.addEventListener('abort', () => resolve()))
    await Promise.race([stopped, settle()])
    return 'ok'
  }
  const fails = async (): Promise<never> => {
    await undefined
    throw new ToolgateError('BUSY', 'later')
  }
  const registry = createToolRegistry({
    tools: [
      countedTool('sync'),
      countedTool('waits', waits),
      countedTool('fails', fails),
      countedTool('throws', () => JSON.parse('{')),
      countedTool('denied'),
      countedTool('guarded'),
      countedTool('asked'),
      countedTool('finalized', () => 'ok', { finalizeContent: async () => undefined }),
      defineTool({
        name: 'typed',
        description: 'Works.',
        parameters: { a: { type: 'number', required: true } },
        output: { schema: { type: 'number' }, render: () => [] },
        execute: async ({ a }, call) => (call.signal.aborted ? 0 : a),
      }),
    ],
    stages: [policy, around, { postExecute: (_call, _result, next) => next(), onResult: () => {} }],
    approve: async ({ signal }) => (signal.aborted ? 'cancelled' : 'allowed-once'),
  })
  return { registry, tokens, kept }
}

const NAMES = [
  'sync',
  'waits',
  'fails',
  'throws',
  'denied',
  'guarded',
  'asked',
  'finalized',
  'typed',
  'ghost',
]

describe('a hundred thousand calls on one signal', () => {
  it('leave no listener, no timer, no token and nothing of theirs in memory', async () => {
    const { registry, tokens, kept } = setup()
    const { signal } = new AbortController()
    const counts = countListeners(signal)
    const before = activeTimers()
    const watch = watchTimers()
    const ends = new Map<string, number>()
    let heard = 0
    registry.on('result', () => heard++)
    for (let i = 0; i < CALLS; i += AT_ONCE) {
      const inputs = Array.from({ length: AT_ONCE }, (_, j) => ({
        callId: String(i + j),
        name: NAMES[(i + j) % NAMES.length] as string,
        arguments: j % 10 === 8 ? { a: j } : { text: 'x' },
        signal,
      }))
      // Most alone; every tenth hundred as a batch, every twentieth as one that is left early.
      const batch = (i / AT_ONCE) % 20
      const results =
        batch === 9
          ? await registry.executeAll(inputs, { signal })
          : batch === 19
            ? await leaveEarly(registry.executeEach(inputs, { signal }))
            : await Promise.all(inputs.map(input => registry.execute(input)))
      for (const result of results) {
        const code = result.isError ? result.error.code : 'ok'
        ends.set(code, (ends.get(code) ?? 0) + 1)
      }
    }
    expect(heard).toBe(CALLS)
    const codes = ['ok', 'ABORTED', 'BUSY', 'TOOL_FAILED', 'DENIED', 'GUARD_DENIED', 'UNKNOWN_TOOL']
    for (const code of codes) expect([code, (ends.get(code) ?? 0) > 1_000]).toEqual([code, true])

    expect(counts.added).toBeGreaterThan(0)
    expect(counts.removed).toBe(counts.added)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    // One for all calls that run at a time, so that no runtime warns of a leak.
    expect(counts.most).toBeLessThanOrEqual(2)
    watch.restore()
    expect(watch.left.size).toBe(0)
    expect(activeTimers()).toBeLessThanOrEqual(before)

    expect(await codesUnder(registry, kept.splice(0))).toEqual(new Set(['INVALID_PARENT']))
    expect(tokens).toHaveLength(1_000)
    let alive = tokens.length
    for (let round = 0; round < 20 && alive > 0; round++) {
      await settle()
      collectGarbage()
      alive = tokens.filter(ref => ref.deref() !== undefined).length
    }
    // A frame may still hold on to one; a leak would hold on to all.
    expect(alive).toBeLessThan(10)
    await registry.dispose()
  }, 300_000)
})

/** What calls come to whose parents have ended. In a frame of its own, which holds on to no token afterwards. */
async function codesUnder(
  registry: ToolRegistry,
  parents: readonly ToolExecutionToken[],
): Promise<Set<string>> {
  const codes = new Set<string>()
  for (const parent of parents) {
    const result = await registry.execute({ callId: '1', name: 'sync', parent })
    codes.add(result.isError ? result.error.code : 'ok')
  }
  return codes
}

async function leaveEarly<T>(results: AsyncGenerator<T, void, undefined>): Promise<T[]> {
  const seen: T[] = []
  for await (const result of results) {
    seen.push(result)
    if (seen.length === 50) break
  }
  return seen
}

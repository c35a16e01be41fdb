import fc from 'fast-check'
import {
  concurrencyLimit,
  createToolRegistry,
  retryPolicy,
  type ToolExecutionResult,
  type ToolRegistry,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it, vi } from 'vitest'
import { countedTool, gate } from '../support/tools.js'
import { codeOf, codesOf, PROGRAM, pass, programOf, sleep, virtualTime, watch } from './support.js'

/** Counts what works at the same time. */
const load = () => {
  const seen = { now: 0, most: 0 }
  return {
    seen,
    work: async (ms: number): Promise<void> => {
      seen.most = Math.max(seen.most, ++seen.now)
      await sleep(ms)
      seen.now--
    },
  }
}

describe('a call inside a counted one', () => {
  virtualTime()

  it('runs in its place: a tool that calls itself does not wait for itself', async () => {
    let depth = 0
    const tool = countedTool('work', async (_args, { token, callId }) => {
      if (++depth === 4) return 'deep enough'
      const inner = await registry.execute({ callId: `${callId}.`, name: 'work', parent: token })
      return codeOf(inner)
    })
    const registry: ToolRegistry = createToolRegistry({
      tools: [tool],
      stages: [concurrencyLimit({ limit: 1 })],
    })
    expect(codeOf(await registry.execute({ callId: '1', name: 'work' }))).toBe('ok')
    expect(tool.runs()).toBe(4)
  })

  it.each([
    [1, 60],
    [2, 30],
    [3, 20],
  ])(
    'of a program takes turns with the others: %i at a time, the program not counted beside them',
    async (limit, ms) => {
      const { seen, work } = load()
      const registry = createToolRegistry({
        tools: [countedTool('work', () => work(10), { isConcurrencySafe: () => true })],
        mode: 'code',
        codeRuntime: programOf(call => Promise.all(Array.from({ length: 6 }, () => call('work')))),
        stages: [concurrencyLimit({ limit, key: () => 'all' })],
      })
      const result = watch(registry.execute(PROGRAM))
      await pass(ms - 1)
      expect(result.now()).toBe('pending')
      await pass(1)
      expect(result.now()).toMatchObject({ isError: false, value: { result: Array(6).fill({ ok: true }) } })
      expect(seen.most).toBe(limit)
    },
  )

  it('stands before those outside who wait for the same place, which is not free yet', async () => {
    const order: string[] = []
    const step = countedTool('step', async (_args, { callId }) => (order.push(callId), sleep(10)))
    const outer = countedTool('outer', async (_args, { token }) => {
      await Promise.all(['a', 'b'].map(callId => registry.execute({ callId, name: 'step', parent: token })))
      order.push('outer ends')
    })
    const stages = [concurrencyLimit({ limit: 1, key: () => 'all' })]
    const registry: ToolRegistry = createToolRegistry({ tools: [step, outer], stages })
    const first = registry.execute({ callId: '1', name: 'outer' })
    const outside = registry.execute({ callId: '2', name: 'step' })
    await pass(30)
    expect(codesOf([await first, await outside])).toEqual(['ok', 'ok'])
    expect(order).toEqual(['a', 'b', 'outer ends', '2'])
  })

  it('that goes on when the one around it has ended keeps the place, until it ends', async () => {
    const inner = gate()
    const left: Promise<unknown>[] = []
    const step = countedTool('step', () => inner.promise)
    const outer = countedTool('outer', async (_args, { token }) => {
      left.push(registry.execute({ callId: 'inner', name: 'step', parent: token }))
      await pass(0)
    })
    const stages = [concurrencyLimit({ limit: 1, queue: 0, key: () => 'all' })]
    const registry: ToolRegistry = createToolRegistry({ tools: [step, outer], stages })
    expect(codeOf(await registry.execute({ callId: '1', name: 'outer' }))).toBe('ok')
    expect(codeOf(await registry.execute({ callId: '2', name: 'step' }))).toBe('CONCURRENCY_LIMITED')
    inner.open()
    await Promise.all(left)
    expect(codeOf(await registry.execute({ callId: '3', name: 'step' }))).toBe('ok')
  })

  it('finds the place also through a call between them that is not counted', async () => {
    const nest = (name: string, inner: string) =>
      countedTool(name, async (_args, { token }) =>
        codeOf(await registry.execute({ callId: inner, name: inner, parent: token })),
      )
    const tools = [nest('outer', 'middle'), nest('middle', 'inner'), countedTool('inner')]
    const key = ({ name }: { name: string }) => (name === 'middle' ? undefined : 'all')
    const stages = [concurrencyLimit({ limit: 1, queue: 0, key })]
    const registry: ToolRegistry = createToolRegistry({ tools, stages })
    expect(await registry.execute({ callId: 'outer', name: 'outer' })).toMatchObject({ value: 'ok' })
    expect(tools.map(tool => tool.runs())).toEqual([1, 1, 1])
  })

  it('that comes between two attempts, when there is no place around it, needs one of its own', async () => {
    const left: Promise<ToolExecutionResult>[] = []
    const step = countedTool('step')
    const outer = countedTool('outer', async (_args, { token }) => {
      left.push(sleep(10).then(() => registry.execute({ callId: 'late', name: 'step', parent: token })))
      throw new Error('again')
    })
    const holder = countedTool('holder', () => sleep(50))
    const stages = [
      retryPolicy({ attempts: 2, jitter: 'none', backoffMs: 100, retryable: () => true }),
      concurrencyLimit({ limit: 1, queue: 0, key: () => 'all' }),
    ]
    const registry: ToolRegistry = createToolRegistry({ tools: [step, outer, holder], stages })
    const first = registry.execute({ callId: '1', name: 'outer' })
    await pass(1)
    const second = registry.execute({ callId: '2', name: 'holder' })
    await pass(200)
    expect(codesOf([await first, await second])).toEqual(['TOOL_FAILED', 'ok'])
    expect(codesOf(await Promise.all(left))).toEqual(['CONCURRENCY_LIMITED', 'INVALID_PARENT'])
    expect(step.runs()).toBe(0)
  })

  it('of another key needs a place of its own', async () => {
    const step = countedTool('step', () => sleep(10))
    const outer = countedTool('outer', async (_args, { token, callId }) =>
      codeOf(await registry.execute({ callId: `${callId}.`, name: 'step', parent: token })),
    )
    const stages = [concurrencyLimit({ limit: 1, queue: 0 })]
    const registry: ToolRegistry = createToolRegistry({ tools: [step, outer], stages })
    const busy = registry.execute({ callId: '1', name: 'step' })
    expect(await registry.execute({ callId: '2', name: 'outer' })).toMatchObject({
      value: 'CONCURRENCY_LIMITED',
    })
    await pass(10)
    expect(codeOf(await busy)).toBe('ok')
  })
})

interface Task {
  readonly ms: number
  readonly inner: readonly Task[]
  /** Whether it waits for the calls that it makes. */
  readonly waits: boolean
  readonly abortAfterMs: number | undefined
}

const ms = fc.integer({ min: 0, max: 10 })
const abortAfterMs = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined, freq: 4 })
const taskOf = (depth: number): fc.Arbitrary<Task> =>
  fc.record({
    ms,
    abortAfterMs,
    waits: fc.boolean(),
    inner: depth === 0 ? fc.constant([]) : fc.array(taskOf(depth - 1), { maxLength: 3 }),
  })

describe('calls inside calls', () => {
  it('all end, and where each waits for those it makes, never more work at the same time than may', async () => {
    const scenario = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.array(taskOf(3), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(scenario, async ([limit, tasks, timed, loosely]) => {
        vi.useFakeTimers()
        const { seen, work } = load()
        let calls = 0
        const run = async (one: Task, parent?: object): Promise<string> => {
          const callId = `${++calls}`
          const controller = new AbortController()
          const timer =
            one.abortAfterMs === undefined
              ? undefined
              : setTimeout(() => controller.abort(), one.abortAfterMs)
          const { signal } = controller
          todo.set(callId, one)
          const result = await registry.execute({ callId, name: 'work', parent: parent as never, signal })
          clearTimeout(timer)
          return codeOf(result)
        }
        const todo = new Map<string, Task>()
        const loose: Promise<string>[] = []
        const tool = countedTool('work', async (_args, { callId, token }) => {
          const { ms: own = 0, inner = [], waits: attentive = true } = todo.get(callId) ?? {}
          const waits = attentive || !loosely
          await work(own)
          const made = inner.map(one => run(one, token))
          if (waits) await Promise.all(made)
          else loose.push(...made)
          if (waits) await work(own)
        })
        const limits = concurrencyLimit({ limit, key: () => 'all', queue: 1_000 })
        const stages = timed ? [timeoutPolicy({ defaultMs: 60 }), limits] : [limits]
        const registry: ToolRegistry = createToolRegistry({ tools: [tool], stages })
        const results = Promise.all(tasks.map(one => run(one)))
        await pass(60_000)
        const known = ['ok', 'ABORTED', 'ABORTED_BEFORE_DISPATCH', 'TOOL_TIMEOUT', 'INVALID_PARENT']
        for (const code of [...(await results), ...(await Promise.all(loose))]) expect(known).toContain(code)
        expect(seen.now).toBe(0)
        if (!loosely) expect(seen.most).toBeLessThanOrEqual(limit)
        expect(vi.getTimerCount()).toBe(0)
        // Every place is free again.
        const last = Promise.all(
          Array.from({ length: limit }, () =>
            run({ ms: 1, inner: [], waits: true, abortAfterMs: undefined }),
          ),
        )
        await pass(2)
        expect(await last).toEqual(Array(limit).fill('ok'))
        vi.useRealTimers()
      }),
      { numRuns: 300 },
    )
  })
})

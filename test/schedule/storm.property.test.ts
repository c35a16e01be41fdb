import fc from 'fast-check'
import { ERROR_CODES, type ToolExecutionInput, type ToolExecutionResult } from 'toolgate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeepFrozen, settle } from '../support/tools.js'
import { KINDS, type Kind, stormWorld, ticks, Watch } from './storm-world.js'
import { codeOf } from './support.js'

interface Planned {
  readonly kind: Kind
  readonly id: number
  readonly ticks: number
  readonly key: string
  readonly inFleeting: true | undefined
  /** After how many ticks the call's own signal aborts. */
  readonly abortAfter: number | undefined
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const planned: fc.Arbitrary<Planned> = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.nat(40),
  ticks: fc.nat(6),
  key: fc.constantFrom('x', 'y'),
  inFleeting: rarely(fc.constant(true)),
  abortAfter: rarely(fc.nat(200)),
})

/** Time stands still but for this: what waits for nothing but time goes on. */
async function untilEnded<T>(pending: Promise<T>): Promise<T> {
  let ended = false
  const end = pending.finally(() => {
    ended = true
  })
  for (let i = 0; !ended; i++) {
    if (i > 2_000) throw new Error('the batch hangs')
    await settle()
    if (!ended) vi.advanceTimersByTime(1)
  }
  return end
}

function abortLater(after: number | undefined): AbortSignal | undefined {
  if (after === undefined) return undefined
  const controller = new AbortController()
  void ticks(after).then(() => controller.abort())
  return controller.signal
}

const inputOf = ({ kind, id, ticks: count, key, inFleeting, abortAfter }: Planned): ToolExecutionInput =>
  ({
    callId: `c${id}`,
    name: kind === 'malformed' ? 7 : kind,
    arguments: kind === 'malformed' ? '{' : { ticks: count, key },
    ...(inFleeting && { scope: 'fleeting' }),
    ...(abortAfter !== undefined && { signal: abortLater(abortAfter) }),
  }) as ToolExecutionInput

const NEVER_RUN: readonly Kind[] = ['denied', 'guarded', 'malformed']

interface Storm {
  readonly calls: readonly Planned[]
  readonly maxParallel: number
  readonly abortAfter: number | undefined
}

const storm: fc.Arbitrary<Storm> = fc.record({
  calls: fc.array(planned, { maxLength: 14 }),
  maxParallel: fc.integer({ min: 1, max: 5 }),
  abortAfter: rarely(fc.nat(600)),
})

/** What holds for every batch, whatever its calls do. */
function judge({ calls, maxParallel }: Storm, watch: Watch, results: readonly ToolExecutionResult[]): void {
  expect(results.map(result => result.callId)).toEqual(calls.map(({ id }) => `c${id}`))
  for (const result of results) {
    expect(isDeepFrozen(result)).toBe(true)
    expect(['ok', ...Object.keys(ERROR_CODES)]).toContain(codeOf(result))
  }
  const bodies = calls.filter(({ kind }) => NEVER_RUN.includes(kind)).map(({ id }) => `c${id}`)
  const free = new Set(calls.filter(({ kind }) => !NEVER_RUN.includes(kind)).map(({ id }) => `c${id}`))
  for (const id of bodies) if (!free.has(id)) expect(watch.ran).not.toContain(id)
  // No body ran twice, nor for a second call with its id.
  expect(new Set(watch.ran).size).toBe(watch.ran.length)
  expect(watch.wrong).toEqual([])
  // The calls of a body's own are outside the pool.
  expect(watch.most).toBeLessThanOrEqual(maxParallel + 1)
}

describe('a storm of calls', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('N calls in, N results out, in order, each exactly once', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(storm, async plan => {
        vi.clearAllTimers()
        const watch = new Watch()
        const registry = stormWorld(watch)
        const heard: string[] = []
        registry.on('result', ({ callId, call }) => {
          if (!callId.endsWith(':inner')) heard.push(`${callId} ${call.name}`)
        })
        const { calls, maxParallel, abortAfter } = plan
        const inputs = calls.map(inputOf)
        const signal = abortLater(abortAfter)
        const pending = registry.executeAll(inputs, { maxParallel, ...(signal && { signal }) })
        const results = await untilEnded(pending)
        judge(plan, watch, results)
        expect(heard).toEqual(results.map(({ callId, name }) => `${callId} ${name}`))
        await untilEnded(registry.dispose())
        // The grace of a body that was given up on may outlast the call, and nothing else.
        vi.advanceTimersByTime(10)
        expect(vi.getTimerCount()).toBe(watch.sleeping)
      }),
      { numRuns: 10_000 },
    )
  })

  it('whose consumer leaves ends as a whole: each call has one end, in order, and what was yielded came first', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(storm, fc.nat(5), fc.boolean(), async ({ calls, maxParallel }, leaveAfter, throws) => {
        vi.clearAllTimers()
        const watch = new Watch()
        const registry = stormWorld(watch)
        const heard: string[] = []
        registry.on('result', ({ callId }) => {
          if (!callId.endsWith(':inner')) heard.push(callId)
        })
        const inputs = calls.map(inputOf)
        const yielded: string[] = []
        const consume = async (): Promise<void> => {
          for await (const { callId } of registry.executeEach(inputs, { maxParallel })) {
            yielded.push(callId)
            if (yielded.length <= leaveAfter) continue
            if (throws) throw new Error('the consumer')
            break
          }
        }
        await untilEnded(consume().catch(error => expect(error.message).toBe('the consumer')))
        const ids = calls.map(({ id }) => `c${id}`)
        expect(heard).toEqual(ids)
        expect(yielded).toEqual(ids.slice(0, leaveAfter + 1))
        expect(watch.wrong).toEqual([])
        await untilEnded(registry.dispose())
      }),
      { numRuns: 2_000 },
    )
  })
})

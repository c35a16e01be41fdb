import {
  circuitBreaker,
  concurrencyLimit,
  createToolRegistry,
  rateLimit,
  retryPolicy,
  timeoutPolicy,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { CALL, codeOf, pass, virtualTime } from './support.js'

virtualTime()

const MOST = 2 ** 31 - 1
const NOT_WHOLE = [undefined, null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2']
const NOT_MS = [undefined, null, 0, 0.5, -1, Number.NaN, MOST + 1, Number.POSITIVE_INFINITY, '10']

const wrong: readonly (readonly [(options: any) => unknown, object | undefined, string])[] = [
  [rateLimit, undefined, 'rateLimit takes an object of options: limit, perMs, key, wait'],
  [rateLimit, [], 'rateLimit takes an object of options: limit, perMs, key, wait'],
  [
    rateLimit,
    { limit: 1, perMs: 1, per: 1 },
    'rateLimit has no option "per"; it has limit, perMs, key, wait',
  ],
  [rateLimit, { limit: 100_001, perMs: 1 }, 'rateLimit: limit must be at most 100000'],
  [rateLimit, { limit: 1, perMs: 1, key: 'all' }, 'rateLimit: key must be a function of the call'],
  [
    rateLimit,
    { limit: 1, perMs: 1, wait: 5 },
    'rateLimit: wait takes an object of options: maxMs, maxQueued',
  ],
  [
    rateLimit,
    { limit: 1, perMs: 1, wait: { ms: 5 } },
    'rateLimit: wait has no option "ms"; it has maxMs, maxQueued',
  ],
  [
    rateLimit,
    { limit: 1, perMs: 1, wait: { maxMs: -1 } },
    'rateLimit: wait.maxMs must be a number of milliseconds from 0 to 2147483647, or Infinity for none',
  ],
  [
    rateLimit,
    { limit: 1, perMs: 1, wait: { maxQueued: 0.5 } },
    'rateLimit: wait.maxQueued must be a whole number of at least 0',
  ],
  ...NOT_WHOLE.map(
    limit =>
      [rateLimit, { limit, perMs: 1 }, 'rateLimit: limit must be a whole number of at least 1'] as const,
  ),
  ...NOT_MS.map(
    perMs =>
      [
        rateLimit,
        { limit: 1, perMs },
        'rateLimit: perMs must be a number of milliseconds from 1 to 2147483647',
      ] as const,
  ),
  [concurrencyLimit, undefined, 'concurrencyLimit takes an object of options: limit, key, queue'],
  [concurrencyLimit, { limit: 1, max: 2 }, 'concurrencyLimit has no option "max"; it has limit, key, queue'],
  [concurrencyLimit, { limit: 1, key: {} }, 'concurrencyLimit: key must be a function of the call'],
  [concurrencyLimit, { limit: 1, queue: -1 }, 'concurrencyLimit: queue must be a whole number of at least 0'],
  [
    concurrencyLimit,
    { limit: 1, queue: Number.POSITIVE_INFINITY },
    'concurrencyLimit: queue must be a whole number of at least 0',
  ],
  ...NOT_WHOLE.map(
    limit =>
      [concurrencyLimit, { limit }, 'concurrencyLimit: limit must be a whole number of at least 1'] as const,
  ),
  [
    circuitBreaker,
    undefined,
    'circuitBreaker takes an object of options: failures, resetAfterMs, key, codes',
  ],
  [
    circuitBreaker,
    { failures: 1, resetAfterMs: 1, reset: 2 },
    'circuitBreaker has no option "reset"; it has failures, resetAfterMs, key, codes',
  ],
  [
    circuitBreaker,
    { failures: 1, resetAfterMs: 1, codes: ['INVALID_ARGS'] },
    'circuitBreaker: codes cannot have INVALID_ARGS, which is no failure of the tool',
  ],
  ...NOT_WHOLE.map(
    failures =>
      [
        circuitBreaker,
        { failures, resetAfterMs: 1 },
        'circuitBreaker: failures must be a whole number of at least 1',
      ] as const,
  ),
  ...NOT_MS.map(
    resetAfterMs =>
      [
        circuitBreaker,
        { failures: 1, resetAfterMs },
        'circuitBreaker: resetAfterMs must be a number of milliseconds from 1 to 2147483647',
      ] as const,
  ),
]

describe('the options of a limit', () => {
  it.each(wrong)('%o: %o are refused: %s', (policy, options, message) => {
    expect(() => policy(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS', message }))
  })

  it('are taken at their bounds, and undefined for one that is left out', async () => {
    for (const stage of [
      rateLimit({ limit: 1, perMs: 1 }),
      rateLimit({ limit: 100_000, perMs: MOST, wait: { maxMs: Number.POSITIVE_INFINITY, maxQueued: 0 } }),
      concurrencyLimit({ limit: 1, queue: 0 }),
      concurrencyLimit({ limit: Number.MAX_SAFE_INTEGER, queue: Number.MAX_SAFE_INTEGER }),
      circuitBreaker({ failures: 1, resetAfterMs: MOST, codes: [] }),
      rateLimit({ limit: 1, perMs: 1, key: undefined, wait: undefined }),
      rateLimit({ limit: 1, perMs: 1, wait: { maxMs: undefined, maxQueued: undefined } }),
      concurrencyLimit({ limit: 1, key: undefined, queue: undefined }),
      circuitBreaker({ failures: 1, resetAfterMs: 1, key: undefined, codes: undefined }),
      retryPolicy({
        attempts: 1,
        codes: undefined,
        jitter: undefined,
        random: undefined,
        onRetry: undefined,
      }),
      timeoutPolicy({ defaultMs: undefined, graceMs: undefined, idleMs: undefined }),
    ]) {
      const registry = createToolRegistry({ tools: [countedTool('work')], stages: [stage] })
      expect(codeOf(await registry.execute(CALL))).toBe('ok')
    }
  })

  it('hold for the longest time that a timer can wait', async () => {
    const rate = createToolRegistry({
      tools: [countedTool('work')],
      stages: [rateLimit({ limit: 1, perMs: MOST, wait: true })],
    })
    await rate.execute(CALL)
    const waiting = rate.execute(CALL)
    await pass(MOST)
    expect(codeOf(await waiting)).toBe('ok')
    const tool = countedTool('work', () => Promise.reject(new Error('no')))
    const breaker = createToolRegistry({
      tools: [tool],
      stages: [circuitBreaker({ failures: 1, resetAfterMs: MOST })],
    })
    await breaker.execute(CALL)
    await pass(MOST - 1)
    expect(codeOf(await breaker.execute(CALL))).toBe('CIRCUIT_OPEN')
    await pass(1)
    expect(codeOf(await breaker.execute(CALL))).toBe('TOOL_FAILED')
  })
})

describe('each policy', () => {
  it('names itself, so that messages can', () => {
    const stages = [
      rateLimit({ limit: 1, perMs: 1 }),
      concurrencyLimit({ limit: 1 }),
      circuitBreaker({ failures: 1, resetAfterMs: 1 }),
    ]
    expect(stages.map(({ name }) => name)).toEqual(['rate-limit', 'concurrency-limit', 'circuit-breaker'])
  })

  it('shows a long name cut', async () => {
    const tool = countedTool('n'.repeat(200))
    const registry = createToolRegistry({
      tools: [tool],
      stages: [concurrencyLimit({ limit: 1 }), rateLimit({ limit: 1, perMs: 1_000 })],
    })
    await registry.execute({ ...CALL, name: tool.name })
    expect(await registry.execute({ ...CALL, name: tool.name })).toMatchObject({
      name: tool.name,
      error: {
        message: `Tool "${'n'.repeat(80)}…" did not run: at most 1 may start within 1000 ms. Try again in 1000 ms`,
      },
    })
    expect(tool.runs()).toBe(1)
  })
})

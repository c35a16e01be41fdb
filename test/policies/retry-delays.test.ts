import { createToolRegistry, type RetryPolicyOptions, retryPolicy, ToolgateError } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { CALL, codeOf, pass, virtualTime } from './support.js'

virtualTime()

const MOST = 2 ** 31 - 1
const delaysOf = async (
  options: RetryPolicyOptions,
  details: object | undefined = undefined,
): Promise<number[]> => {
  const delays: number[] = []
  const tool = countedTool(
    'work',
    () => {
      throw new ToolgateError('TOOL_FAILED', 'not now', { details })
    },
    { annotations: { readOnlyHint: true } },
  )
  const stage = retryPolicy({ onRetry: (_call, { delayMs }) => delays.push(delayMs), ...options })
  const result = createToolRegistry({ tools: [tool], stages: [stage] }).execute(CALL)
  await pass(MOST)
  await pass(MOST)
  await result
  return delays
}

describe('the waits', () => {
  it.each<[string, Omit<RetryPolicyOptions, 'attempts'>, number[]]>([
    ['double from 200 ms', { jitter: 'none' }, [200, 400, 800, 1_600]],
    ['grow by the factor', { jitter: 'none', backoffMs: 10, backoffFactor: 3 }, [10, 30, 90, 270]],
    ['stop growing at maxDelayMs', { jitter: 'none', maxDelayMs: 500 }, [200, 400, 500, 500]],
    ['stay the same with factor 1', { jitter: 'none', backoffFactor: 1 }, [200, 200, 200, 200]],
    ['are none with 0', { jitter: 'none', backoffMs: 0, backoffFactor: 1_000 }, [0, 0, 0, 0]],
    ['are spread over all of the time', { random: () => 0.25 }, [50, 100, 200, 400]],
    ['are spread over its second half', { random: () => 0.5, jitter: 'equal' }, [150, 300, 600, 1_200]],
    ['never leave their bounds', { random: () => 7, maxDelayMs: 300 }, [200, 300, 300, 300]],
    ['nor go below none', { random: () => -7 }, [0, 0, 0, 0]],
  ])('%s', async (_what, options, delays) => {
    expect(await delaysOf({ attempts: 5, ...options })).toEqual(delays)
  })

  it('are spread by chance if nobody says otherwise, each within its bound', async () => {
    const delays = await delaysOf({ attempts: 5 })
    expect(delays.every((delay, at) => delay >= 0 && delay <= 200 * 2 ** at)).toBe(true)
    expect(delays.every((delay, at) => delay === 200 * 2 ** at)).toBe(false)
  })

  it('stay waits however many attempts there are', async () => {
    const delays = await delaysOf({ attempts: 1_200, jitter: 'none', maxDelayMs: 2_000 })
    expect(delays.length).toBe(1_199)
    expect(Math.max(...delays)).toBe(2_000)
  })

  it('are none however many there are, where the first is none', async () => {
    const delays = await delaysOf({ attempts: 200, backoffMs: 0, backoffFactor: 1_000 })
    expect(delays).toEqual(Array(199).fill(0))
  })

  it('are as long as a failure asks, and a longer one than maxDelayMs is the end', async () => {
    const options = { attempts: 3, jitter: 'none', maxDelayMs: 1_000 } as const
    expect(await delaysOf(options, { retryAfterMs: 900 })).toEqual([900, 900])
    expect(await delaysOf(options, { retryAfterMs: 300 })).toEqual([300, 400])
    expect(await delaysOf(options, { retryAfterMs: 1_001 })).toEqual([])
    expect(await delaysOf(options, { retryAfterMs: 'soon' })).toEqual([200, 400])
  })

  it('reach what a timer can wait', async () => {
    expect(await delaysOf({ attempts: 2, jitter: 'none', backoffMs: MOST, maxDelayMs: MOST })).toEqual([MOST])
  })
})

describe('onRetry', () => {
  it('may abort the call, which then ends without waiting', async () => {
    const controller = new AbortController()
    const tool = countedTool('work', () => Promise.reject(new Error('no')), {
      annotations: { readOnlyHint: true },
    })
    const stages = [retryPolicy({ attempts: 2, backoffMs: 10_000, onRetry: () => controller.abort() })]
    const registry = createToolRegistry({ tools: [tool], stages })
    const result = registry.execute({ ...CALL, signal: controller.signal })
    await pass(0)
    expect(codeOf(await result)).toBe('TOOL_FAILED')
    expect(tool.runs()).toBe(1)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('observer')
      },
    ],
    ['rejects', () => Promise.reject(new Error('observer'))],
  ])('changes nothing when it %s', async (_what, onRetry) => {
    const tool = countedTool('work', () => Promise.reject(new Error('no')), {
      annotations: { readOnlyHint: true },
    })
    const stages = [retryPolicy({ attempts: 2, onRetry })]
    const result = createToolRegistry({ tools: [tool], stages }).execute(CALL)
    await pass(1_000)
    expect(codeOf(await result)).toBe('TOOL_FAILED')
    expect(tool.runs()).toBe(2)
  })
})

describe('the options', () => {
  it.each<[unknown, string]>([
    [undefined, 'retryPolicy takes an object of options: attempts, codes, retryable'],
    [{}, 'retryPolicy: attempts must be a whole number of at least 1'],
    [{ attempts: 0 }, 'retryPolicy: attempts must be a whole number'],
    [{ attempts: 1.5 }, 'retryPolicy: attempts must be a whole number'],
    [{ attempts: Number.POSITIVE_INFINITY }, 'retryPolicy: attempts must be a whole number'],
    [{ attempts: 2, tries: 3 }, 'retryPolicy has no option "tries"; it has attempts, codes, retryable'],
    [{ attempts: 2, codes: 'QUOTA' }, 'retryPolicy: codes must be an array of error codes'],
    [{ attempts: 2, codes: [''] }, 'retryPolicy: codes must be an array of error codes'],
    [{ attempts: 2, codes: new Array(1) }, 'retryPolicy: codes must be an array of error codes'],
    ...['DENIED', 'INVALID_ARGS', 'ABORTED', 'APPROVAL_REJECTED', 'UNKNOWN_TOOL'].map(
      (code): [unknown, string] => [
        { attempts: 2, codes: ['QUOTA', code] },
        `retryPolicy: codes cannot have ${code}, which is no failure of the tool`,
      ],
    ),
    [{ attempts: 2, retryable: true }, 'retryPolicy: retryable must be a function'],
    [{ attempts: 2, onRetry: {} }, 'retryPolicy: onRetry must be a function'],
    [{ attempts: 2, random: 0.5 }, 'retryPolicy: random must be a function'],
    [{ attempts: 2, jitter: true }, 'retryPolicy: jitter must be full, equal, none'],
    [{ attempts: 2, backoffFactor: 0.5 }, 'retryPolicy: backoffFactor must be a number from 1 to 1000'],
    [
      { attempts: 2, backoffFactor: Number.NaN },
      'retryPolicy: backoffFactor must be a number from 1 to 1000',
    ],
    ...[-1, Number.NaN, MOST + 1, Number.POSITIVE_INFINITY, '1'].flatMap((ms): [unknown, string][] => [
      [
        { attempts: 2, backoffMs: ms },
        'retryPolicy: backoffMs must be a number of milliseconds from 0 to 2147483647',
      ],
      [
        { attempts: 2, maxDelayMs: ms },
        'retryPolicy: maxDelayMs must be a number of milliseconds from 0 to 2147483647',
      ],
    ]),
  ])('%o are refused: %s', (options, message) => {
    expect(() => retryPolicy(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) }),
    )
  })
})

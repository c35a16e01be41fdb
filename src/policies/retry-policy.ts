import { ToolgateError } from '../errors/toolgate-error.js'
import type { AroundCall, Stages } from '../pipeline/stages.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolExecutionResult, ToolFailure } from '../tools/tool-result.js'
import { backoff, type RetryJitter } from './backoff.js'
import { checkedOptions, refuseOption, wholeNumber } from './checked-options.js'
import { dropRejection } from './drop-rejection.js'
import { failureCodes } from './failure-codes.js'
import { pause } from './pauses.js'

/** What `onRetry` is told, before the wait for the next attempt. */
export interface RetryNotice {
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly delayMs: number
  readonly result: ToolFailure
}

/** Options of `retryPolicy`. */
export interface RetryPolicyOptions {
  /** How many attempts there are at most, the first one included. */
  readonly attempts: number
  /** Codes to try again beside `TOOL_FAILED` and `TOOL_TIMEOUT`. Refusals, wrong calls and aborts cannot be among them. */
  readonly codes?: readonly string[] | undefined
  /**
   * Asked about each failure with such a code. `true` tries again even if the tool may have acted; `false` does not;
   * `undefined` leaves it to what the tool says of itself.
   */
  readonly retryable?: ((call: ToolCall, result: ToolFailure) => boolean | undefined) | undefined
  /** The wait before the second attempt. Default 200. */
  readonly backoffMs?: number | undefined
  /** How many times longer each further wait is. Default 2. */
  readonly backoffFactor?: number | undefined
  /** The longest wait. A failure that asks for a longer one, by `details.retryAfterMs`, is not tried again. Default 30 000. */
  readonly maxDelayMs?: number | undefined
  /** How waits are spread: over all of the time, over its second half, or not. Default `full`. */
  readonly jitter?: RetryJitter | undefined
  /** A number from 0 to 1, like `Math.random`, which is the default. */
  readonly random?: (() => number) | undefined
  /** Told of each further attempt. What it throws or rejects with is dropped. */
  readonly onRetry?: ((call: ToolCall, notice: RetryNotice) => unknown) | undefined
}

const KNOWN = [
  'attempts',
  'codes',
  'retryable',
  'backoffMs',
  'backoffFactor',
  'maxDelayMs',
  'jitter',
  'random',
  'onRetry',
] as const

// The tool's body did not run.
const NOT_RUN: readonly string[] = ['RATE_LIMITED', 'CONCURRENCY_LIMITED', 'CIRCUIT_OPEN']

function callback<F>(option: string, given: unknown): F | undefined {
  if (given !== undefined && typeof given !== 'function') refuseOption(`${option} must be a function`)
  return given as F | undefined
}

const detail = ({ error }: ToolFailure, key: string): unknown =>
  (error.details as { readonly [key: string]: unknown } | undefined)?.[key]

/** Whether another run does no harm, as far as the tool says. A body that still runs may only be joined by one that just reads. */
function isHarmless({ tool }: ToolCall, result: ToolFailure): boolean {
  if (NOT_RUN.includes(result.error.code)) return true
  const { readOnlyHint, idempotentHint } = tool?.annotations ?? {}
  if (readOnlyHint === true) return true
  return idempotentHint === true && detail(result, 'bodyStopped') !== false
}

function mayRetry(call: ToolCall, result: ToolFailure, retryable: RetryPolicyOptions['retryable']): boolean {
  const answer: unknown = retryable?.(call, result)
  if (answer === undefined) return isHarmless(call, result)
  if (typeof answer === 'boolean') return answer
  dropRejection(answer)
  const message = 'retryable of retryPolicy must answer true, false or undefined, and at once'
  throw new ToolgateError('INVALID_DECISION', message)
}

/** Tells an observer, which changes nothing. */
function tell(onRetry: RetryPolicyOptions['onRetry'], call: ToolCall, notice: RetryNotice): void {
  try {
    dropRejection(onRetry?.(call, notice))
  } catch {}
}

/** The last result, with how many attempts it took. */
function ended(result: ToolExecutionResult, attempts: number): ToolExecutionResult {
  return attempts > 1 ? { ...result, meta: { ...result.meta, attempts } } : result
}

/**
 * Runs the tool again when it fails with `TOOL_FAILED`, `TOOL_TIMEOUT` or a code of `codes`, after waits that grow and are
 * spread by chance. A result after more than one attempt says how many in `meta.attempts`; `onRetry` hears of each.
 *
 * A tool that may have acted is not run again, unless its annotations say `readOnlyHint` or `idempotentHint`, or `retryable`
 * says so. Annotations are taken at their word, those of remote servers too: use `retryable` where you do not trust them.
 * An abort ends the waiting at once, with the last failure. All attempts are one call: approved, guarded and told once.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function retryPolicy(options: RetryPolicyOptions): Stages {
  const given = checkedOptions('retryPolicy', options, KNOWN)
  const attempts = wholeNumber('retryPolicy: attempts', given.attempts, 1, Number.NaN)
  const codes = failureCodes('retryPolicy', given.codes)
  const retryable = callback<RetryPolicyOptions['retryable']>('retryPolicy: retryable', given.retryable)
  const onRetry = callback<RetryPolicyOptions['onRetry']>('retryPolicy: onRetry', given.onRetry)
  const random = callback<() => number>('retryPolicy: random', given.random) ?? Math.random
  const { maxDelayMs, delayOf } = backoff('retryPolicy', given, random)

  const delayFor = (call: AroundCall, result: ToolExecutionResult, attempt: number): number | undefined => {
    if (!result.isError || attempt >= attempts || call.signal.aborted) return undefined
    if (!codes.has(result.error.code) || !mayRetry(call, result, retryable)) return undefined
    const asked = detail(result, 'retryAfterMs')
    const delayMs = Math.max(delayOf(attempt), typeof asked === 'number' ? asked : 0)
    if (delayMs > maxDelayMs) return undefined
    tell(onRetry, call, Object.freeze({ attempt, delayMs, result }))
    return delayMs
  }

  return {
    name: 'retry',
    async execute(call, next) {
      for (let attempt = 1; ; attempt++) {
        const result = await next()
        const delayMs = delayFor(call, result, attempt)
        if (delayMs === undefined) return ended(result, attempt)
        await pause(delayMs, call.signal)
        if (call.signal.aborted) return ended(result, attempt)
      }
    },
  }
}

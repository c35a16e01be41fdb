import type { Stages } from '../pipeline/stages.js'
import { callKey, type PolicyKeyOf } from './call-key.js'
import { checkedOptions, refuseOption, wholeNumber } from './checked-options.js'
import { codedFailure, quoted } from './coded-failure.js'
import { KeyedStates } from './keyed-states.js'
import { milliseconds } from './milliseconds.js'
import { RateWindow } from './rate-window.js'

/** How calls over a rate wait. */
export interface RateWaitOptions {
  /** How long a call may wait: one whose turn comes later fails at once. Default no limit. */
  readonly maxMs?: number | undefined
  /** How many may wait with one key. Default 100. */
  readonly maxQueued?: number | undefined
}

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /** How many calls may start within `perMs`, at most 100 000. */
  readonly limit: number
  readonly perMs: number
  /** What is counted together. Default each tool by its name. */
  readonly key?: PolicyKeyOf | undefined
  /** Whether calls over the limit wait, in order, instead of failing. Default false. */
  readonly wait?: boolean | RateWaitOptions | undefined
}

const MOST = 100_000

function readWait(given: unknown): { readonly maxMs: number; readonly maxQueued: number } {
  const maxMs = Number.POSITIVE_INFINITY
  if (given === undefined || given === false) return { maxMs, maxQueued: 0 }
  const wait = checkedOptions('rateLimit: wait', given === true ? {} : given, ['maxMs', 'maxQueued'])
  return {
    maxMs: milliseconds('rateLimit: wait.maxMs', wait.maxMs, maxMs, { least: 0, endless: true }),
    maxQueued: wholeNumber('rateLimit: wait.maxQueued', wait.maxQueued, 0, 100),
  }
}

/**
 * Lets at most `limit` calls start within any `perMs`, counted for each tool or key. One more fails with `RATE_LIMITED`,
 * whose `details.retryAfterMs` says when it could start, or waits its turn with `wait`. Time spent waiting is not the tool's:
 * put the stage outside `timeoutPolicy`, or inside to bound it. Calls of tools that are not there are not counted.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function rateLimit(options: RateLimitOptions): Stages {
  const given = checkedOptions('rateLimit', options, ['limit', 'perMs', 'key', 'wait'])
  const limit = wholeNumber('rateLimit: limit', given.limit, 1, Number.NaN)
  if (limit > MOST) refuseOption(`rateLimit: limit must be at most ${MOST}`)
  const perMs = milliseconds('rateLimit: perMs', given.perMs ?? Number.NaN, 0, { least: 1 })
  const keyOf = callKey('rateLimit', given.key)
  const { maxMs, maxQueued } = readWait(given.wait)
  const windows = new KeyedStates(
    () => new RateWindow(limit, perMs),
    window => window.isIdle,
  )
  return {
    name: 'rate-limit',
    async execute(call, next) {
      const key = keyOf(call)
      if (key === undefined || call.signal.aborted) return next()
      const window = windows.of(key)
      const retryAfterMs = window.start()
      if (retryAfterMs === 0) return next()
      if (retryAfterMs <= maxMs && window.waiting < maxQueued) {
        await window.turn(call.signal)
        return next()
      }
      const message = `Tool ${quoted(call.name)} did not run: at most ${limit} may start within ${perMs} ms. Try again in ${retryAfterMs} ms`
      return codedFailure(call, { code: 'RATE_LIMITED', message, details: { limit, perMs, retryAfterMs } })
    },
  }
}

import { refuseOption } from './checked-options.js'
import { milliseconds } from './milliseconds.js'

/** How waits are spread: anywhere from none to the whole, from the half to the whole, or not at all. */
export type RetryJitter = 'full' | 'equal' | 'none'

const JITTERS: readonly unknown[] = ['full', 'equal', 'none']

interface BackoffFields {
  readonly backoffMs?: unknown
  readonly backoffFactor?: unknown
  readonly maxDelayMs?: unknown
  readonly jitter?: unknown
}

/** Waits that grow by a factor up to a bound, spread by chance. */
export interface Backoff {
  readonly maxDelayMs: number
  /** The wait after so many attempts have failed. */
  delayOf(failed: number): number
}

/** Reads a policy's options for waits. */
export function backoff(policy: string, fields: BackoffFields, random: () => number): Backoff {
  const firstMs = milliseconds(`${policy}: backoffMs`, fields.backoffMs, 200, { least: 0 })
  const maxDelayMs = milliseconds(`${policy}: maxDelayMs`, fields.maxDelayMs, 30_000, { least: 0 })
  const { backoffFactor: factor = 2, jitter = 'full' } = fields
  if (typeof factor !== 'number' || !(factor >= 1 && factor <= 1_000))
    return refuseOption(`${policy}: backoffFactor must be a number from 1 to 1000`)
  if (!JITTERS.includes(jitter)) return refuseOption(`${policy}: jitter must be ${JITTERS.join(', ')}`)
  const fixed = jitter === 'none' ? 1 : jitter === 'equal' ? 0.5 : 0
  return {
    maxDelayMs,
    delayOf(failed) {
      // Zero stays zero, however large the power.
      const longest = firstMs === 0 ? 0 : Math.min(maxDelayMs, firstMs * factor ** (failed - 1))
      const chance = fixed === 1 ? 0 : (1 - fixed) * Math.min(1, Math.max(0, random()))
      return Math.round(longest * (fixed + chance))
    },
  }
}

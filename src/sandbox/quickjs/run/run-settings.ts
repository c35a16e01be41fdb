import type { QuickJsLimits } from '../limits.js'

/** What a runtime gives to each of its runs. */
export interface RunSettings {
  readonly limits: QuickJsLimits
  readonly now: () => number
  readonly countCpu: boolean
  /** Texts of what the guest evaluates when a program touches it, by part. */
  readonly polyfills: { readonly [part: string]: string }
  /** So many random bytes, as hexadecimal digits. */
  readonly randomHex: (bytes: number) => string
}

import type { QuickJsLimits } from '../limits.js'

/** A call that waits for its program to pause. */
export interface WaitingCall {
  readonly name: string
}

/** What a runtime gives to each of its runs. */
export interface RunSettings {
  readonly limits: QuickJsLimits
  readonly now: () => number
  readonly countCpu: boolean
  /** Texts of what the guest evaluates when a program touches it, by part. */
  readonly polyfills: { readonly [part: string]: string }
  /** So many random bytes, as hexadecimal digits. */
  readonly randomHex: (bytes: number) => string
  /** Told often while a program computes, with the calls that it has made and that have not begun. */
  readonly onLook?: ((notBegun: readonly WaitingCall[]) => void) | undefined
}

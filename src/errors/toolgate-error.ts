import type { ToolgateErrorCode } from './error-codes.js'

const brand: unique symbol = Symbol.for('toolgate.error') as never

const isCode = (code: unknown): code is string => typeof code === 'string' && code !== ''

/** What a `ToolgateError` may carry beside its code and message. */
export interface ToolgateErrorOptions {
  /** Stays in the process: never part of `toJSON()` or of a result. */
  cause?: unknown
  /** Lossless JSON for the caller; it travels as `error.details` of a result. */
  details?: unknown
}

/**
 * An error with a stable `code`. Thrown at once for mistakes in the host program; inside a call it becomes the
 * `error` of the result. A tool may throw one to choose the code of its own failure. Without a code, a non-empty string,
 * it is `TOOL_FAILED`.
 */
export class ToolgateError extends Error {
  readonly code: ToolgateErrorCode | (string & {})
  readonly details?: unknown

  constructor(code: ToolgateErrorCode | (string & {}), message: string, options: ToolgateErrorOptions = {}) {
    const known = isCode(code) ? code : 'TOOL_FAILED'
    super(message || `It failed with ${known}`, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = new.target.name || 'ToolgateError'
    this.code = known
    if (options.details !== undefined) this.details = options.details
    Object.defineProperty(this, brand, { value: true })
  }

  /** The error as data: name, code, message and details, never the stack or the cause. */
  toJSON(): { name: string; code: string; message: string; details?: unknown } {
    const json = { name: this.name, code: this.code, message: this.message }
    return this.details === undefined ? json : { ...json, details: this.details }
  }

  /** True for errors of this kind, code and message included, from any copy of the package. Total: never throws. */
  static isInstance(value: unknown): value is ToolgateError {
    try {
      if (typeof value !== 'object' || value === null) return false
      if ((value as Record<symbol, unknown>)[brand] !== true) return false
      const { code, message } = value as { code?: unknown; message?: unknown }
      return isCode(code) && typeof message === 'string'
    } catch {
      return false
    }
  }
}

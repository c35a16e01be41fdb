import type { ToolgateErrorCode } from './error-codes.js'

const brand: unique symbol = Symbol.for('toolgate.error') as never

/** What a `ToolgateError` may carry beside its code and message. */
export interface ToolgateErrorOptions {
  /** Stays in the process: never part of `toJSON()` or of a result. */
  cause?: unknown
  /** Lossless JSON for the caller; it travels as `error.details` of a result. */
  details?: unknown
}

/**
 * An error with a stable `code`. Thrown at once for mistakes in the host program; inside a call it becomes the
 * `error` of the result. A tool may throw one to choose the code of its own failure.
 */
export class ToolgateError extends Error {
  readonly code: ToolgateErrorCode | (string & {})
  readonly details?: unknown

  constructor(code: ToolgateErrorCode | (string & {}), message: string, options: ToolgateErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = new.target.name
    this.code = code
    if (options.details !== undefined) this.details = options.details
    Object.defineProperty(this, brand, { value: true })
  }

  /** The error as data: name, code, message and details, never the stack or the cause. */
  toJSON(): { name: string; code: string; message: string; details?: unknown } {
    const json = { name: this.name, code: this.code, message: this.message }
    return this.details === undefined ? json : { ...json, details: this.details }
  }

  /** True for errors of this kind from any copy of the package. Total: never throws. */
  static isInstance(value: unknown): value is ToolgateError {
    try {
      return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true
    } catch {
      return false
    }
  }
}

import { quoteName } from './quote-name.js'
import { ToolgateError, type ToolgateErrorOptions } from './toolgate-error.js'
import type { Violation } from './violation.js'

const sentence = (violations: readonly Violation[]): string => violations.map(v => v.message).join('; ')

/** `INVALID_ARGS`: the arguments do not match the tool's parameters. */
export class ToolArgsError extends ToolgateError {
  readonly violations: readonly Violation[]
  constructor(toolName: string, violations: readonly Violation[], options: ToolgateErrorOptions = {}) {
    super('INVALID_ARGS', `Invalid arguments for tool ${quoteName(toolName)}: ${sentence(violations)}`, {
      details: { violations },
      ...options,
    })
    this.name = 'ToolArgsError'
    this.violations = violations
  }
}

/** `INVALID_TOOL_OUTPUT`: the body, `render` or `presentationMeta` returned something it may not. */
export class ToolOutputError extends ToolgateError {
  readonly violations: readonly Violation[]
  constructor(toolName: string, violations: readonly Violation[], options: ToolgateErrorOptions = {}) {
    super(
      'INVALID_TOOL_OUTPUT',
      `Tool ${quoteName(toolName)} returned an invalid result: ${sentence(violations)}`,
      {
        details: { violations },
        ...options,
      },
    )
    this.name = 'ToolOutputError'
    this.violations = violations
  }
}

/** `UNKNOWN_TOOL`: no such tool is visible in the scope of the call. */
export class ToolNotFoundError extends ToolgateError {
  constructor(message: string, options: ToolgateErrorOptions = {}) {
    super('UNKNOWN_TOOL', message, options)
    this.name = 'ToolNotFoundError'
  }
}

/** `TOOL_TIMEOUT`: the tool ran past its deadline. */
export class ToolTimeoutError extends ToolgateError {
  constructor(message: string, options: ToolgateErrorOptions = {}) {
    super('TOOL_TIMEOUT', message, options)
    this.name = 'ToolTimeoutError'
  }
}

/** `UNSUPPORTED_SCHEMA`: a schema is invalid, unresolvable or outside the supported subset. */
export class OutputSchemaError extends ToolgateError {
  readonly violations: readonly Violation[]
  constructor(message: string, violations: readonly Violation[], options: ToolgateErrorOptions = {}) {
    super('UNSUPPORTED_SCHEMA', `${message}: ${sentence(violations)}`, {
      details: { violations },
      ...options,
    })
    this.name = 'OutputSchemaError'
    this.violations = violations
  }
}

/** `CODE_RUN_FAILED`: a Code Mode program failed; `details.kind` says how. */
export class CodeRunFailedError extends ToolgateError {
  constructor(message: string, options: ToolgateErrorOptions = {}) {
    super('CODE_RUN_FAILED', message, options)
    this.name = 'CodeRunFailedError'
  }
}

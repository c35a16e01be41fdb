import type { Approver } from '../approvals/approval.js'
import { describeError } from '../errors/describe-error.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { DEFAULT_JSON_LIMITS, type JsonLimits } from '../json/json-limits.js'
import { listOf } from '../json/list-of.js'
import { isSignal } from '../pipeline/read-input.js'
import type { Stages } from '../pipeline/stages.js'
import type { Validator } from '../schema/validator.js'
import type { RestrictOptions } from '../scopes/restriction.js'
import type { PresentationMode } from '../scopes/scope-node.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolDefinition } from '../tools/tool-definition.js'

/** A scope: what it adds to, and takes from, what it inherits. */
export interface ScopeOptions {
  /** Unique in the registry. */
  readonly id: string
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Pipeline stages, outermost first, inside those of the scopes above. */
  readonly stages?: readonly Stages[] | undefined
  /** Answers the asks of this scope and those under it. Default the nearest above. */
  readonly approve?: Approver | undefined
  /** A mask over what the scope inherits. */
  readonly restrict?: RestrictOptions | undefined
  /** Names that this scope may have although a scope above masks them. */
  readonly grants?: readonly string[] | undefined
  /** How this scope, and those under it, present their tools. Default the nearest above. */
  readonly mode?: PresentationMode | undefined
}

/** A scope as data; without `parent` it is the registry's child. Parents come before their children. */
export interface ScopeDeclaration extends ScopeOptions {
  readonly parent?: string | undefined
}

/** Bounds on the data of one call. A value past a bound fails the call with `LIMIT_EXCEEDED`; none is ever cut. */
export interface RegistryLimits {
  /** UTF-8 bytes of the arguments' JSON text. Default 16 MiB. */
  readonly maxArgumentBytes?: number | undefined
  /** Levels of nesting. Default 10 000. */
  readonly maxDepth?: number | undefined
  /** Values, a shared one counted for each place it stands in. Default 2 000 000. */
  readonly maxNodes?: number | undefined
  /** UTF-8 bytes of a result value's JSON text. Default 64 MiB. */
  readonly maxResultBytes?: number | undefined
}

/** Everything a registry can be told. All of it is optional. */
export interface RegistryOptions {
  /** Tools of the registry itself, which every scope inherits. */
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Pipeline stages around every call, outermost first. */
  readonly stages?: readonly Stages[] | undefined
  /** Answers what stages ask. Without one, an ask is refused. */
  readonly approve?: Approver | undefined
  /** Scopes as data, parents before children. */
  readonly scopes?: readonly ScopeDeclaration[] | undefined
  /** How tools are presented: each by its schema (`native`, the default), all behind `run_code`, or both. */
  readonly mode?: PresentationMode | undefined
  /** How many bodies of one batch may run at a time. Default 10. */
  readonly maxParallelCalls?: number | undefined
  /** How long a body may take to stop after an abort, in milliseconds. Default 5 000; `Infinity` waits for ever. */
  readonly abortGraceMs?: number | undefined
  readonly limits?: RegistryLimits | undefined
  /** For tools that do not say themselves; see `ToolDefinition.coerceArguments`. Default false. */
  readonly coerceArguments?: boolean | undefined
  /** Checks JSON Schemas instead of Ajv and its stand-in. */
  readonly validator?: Validator | undefined
  /** What the model may see of an error that a tool threw. Default its message. */
  readonly describeError?: ((error: unknown, call: ToolCall) => string) | undefined
}

const SCOPE_KEYS = ['id', 'tools', 'stages', 'approve', 'restrict', 'grants', 'mode', 'parent'] as const
const REGISTRY_KEYS = [
  'tools',
  'stages',
  'approve',
  'scopes',
  'mode',
  'maxParallelCalls',
  'abortGraceMs',
  'limits',
  'coerceArguments',
  'validator',
  'describeError',
] as const
const LIMIT_KEYS = ['maxArgumentBytes', 'maxDepth', 'maxNodes', 'maxResultBytes'] as const
const MODES: readonly unknown[] = ['native', 'code', 'both']

/** Throws `INVALID_OPTIONS`. */
export function invalidOption(what: string): never {
  throw new ToolgateError('INVALID_OPTIONS', what)
}

/** Runs what reads a host's options: what their accessors throw is `INVALID_OPTIONS` too. */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    const message = `${what} could not be read: ${describeError(error)}`
    throw new ToolgateError('INVALID_OPTIONS', message, { cause: error })
  }
}

/** Throws unless the value is an object with no other keys than the known ones. */
export function requireKeys(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    invalidOption(`${where} takes an object of options: ${known.join(', ')}`)
  for (const key of Object.keys(options))
    if (!known.includes(key) && (options as Record<string, unknown>)[key] !== undefined)
      invalidOption(`${where} has no option "${key}"; it has ${known.join(', ')}`)
}

const requireArray = (what: string, value: unknown): void => {
  if (value !== undefined && !Array.isArray(value)) invalidOption(`${what} must be an array`)
}

const requireFunction = (what: string, value: unknown): void => {
  if (value !== undefined && typeof value !== 'function') invalidOption(`${what} must be a function`)
}

const isGrace = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && (value <= 2 ** 31 - 1 || value === Number.POSITIVE_INFINITY)

/** Throws unless the value is a known mode, or absent. */
export function requireMode(mode: unknown): void {
  if (mode !== undefined && !MODES.includes(mode)) invalidOption('mode must be "native", "code" or "both"')
}

/** Throws unless the value is a positive whole number, or absent. */
export function requireCount(what: string, value: unknown): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) > 0))
    invalidOption(`${what} must be a positive whole number`)
}

/** @throws ToolgateError `INVALID_OPTIONS` for a signal of a batch that is none */
export function requireSignal(signal: unknown): void {
  if (signal !== undefined && !isSafely(() => isSignal(signal)))
    invalidOption("a batch's signal must be an AbortSignal, such as controller.signal")
}

function isSafely(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

/** Reads a scope's options, each once, and checks them. @throws ToolgateError `INVALID_OPTIONS` */
export function readScopeOptions(given: ScopeDeclaration): ScopeDeclaration {
  requireKeys('a scope', given, SCOPE_KEYS)
  const options = Object.fromEntries(SCOPE_KEYS.map(key => [key, given[key]])) as unknown as ScopeDeclaration
  const { id, parent, grants } = options
  if (typeof id !== 'string' || id === '') invalidOption('a scope needs an id, a non-empty string')
  const where = `scope "${id}"`
  if (parent !== undefined && typeof parent !== 'string')
    invalidOption(`parent of ${where} must be a scope's id`)
  requireArray(`tools of ${where}`, options.tools)
  requireArray(`stages of ${where}`, options.stages)
  requireFunction(`approve of ${where}`, options.approve)
  requireArray(`grants of ${where}`, grants)
  requireMode(options.mode)
  const lists = {
    ...(options.tools && { tools: listOf(options.tools) }),
    ...(options.stages && { stages: listOf(options.stages) }),
    ...(grants && { grants: listOf(grants) }),
  }
  if (lists.grants?.every(name => typeof name === 'string') === false)
    invalidOption(`grants of ${where} must be tool names`)
  return { ...options, ...lists }
}

/** Checks a registry's options. @throws ToolgateError `INVALID_OPTIONS` */
export function checkRegistryOptions(options: RegistryOptions): void {
  requireKeys('createToolRegistry', options, REGISTRY_KEYS)
  const { abortGraceMs, validator } = options
  requireArray('tools', options.tools)
  requireArray('stages', options.stages)
  requireArray('scopes', options.scopes)
  requireFunction('approve', options.approve)
  requireFunction('describeError', options.describeError)
  requireMode(options.mode)
  requireCount('maxParallelCalls', options.maxParallelCalls)
  if (abortGraceMs !== undefined && !isGrace(abortGraceMs))
    invalidOption(
      'abortGraceMs must be a number of milliseconds, from 0 to 2^31 - 1, or Infinity to wait for ever',
    )
  if (validator !== undefined && typeof validator?.compile !== 'function')
    invalidOption('validator must be an object with compile(schema, root)')
  if (options.coerceArguments !== undefined && typeof options.coerceArguments !== 'boolean')
    invalidOption('coerceArguments must be a boolean')
  if (options.limits !== undefined) {
    requireKeys('limits', options.limits, LIMIT_KEYS)
    for (const key of LIMIT_KEYS) requireCount(`limits.${key}`, options.limits[key])
  }
}

/** The limits of arguments and of results. */
export function jsonLimits(limits: RegistryLimits = {}): {
  readonly args: JsonLimits
  readonly results: JsonLimits
} {
  const { maxDepth = DEFAULT_JSON_LIMITS.maxDepth, maxNodes = DEFAULT_JSON_LIMITS.maxNodes } = limits
  const { maxArgumentBytes = DEFAULT_JSON_LIMITS.maxBytes, maxResultBytes = 64 * 1024 * 1024 } = limits
  return {
    args: { maxDepth, maxNodes, maxBytes: maxArgumentBytes },
    results: { maxDepth, maxNodes, maxBytes: maxResultBytes },
  }
}

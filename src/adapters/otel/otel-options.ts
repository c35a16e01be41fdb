import { ToolgateError } from '../../errors/toolgate-error.js'
import type { ToolCall } from '../../tools/tool-call.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'
import { CONVENTIONS, type OtelConventions } from './conventions.js'
import type { Attributes, MeterProvider, TracerProvider } from './otel-api.js'

/** Options of `otelStages`. */
export interface OtelStagesOptions {
  /** Default the global one, asked when the stages are made: set it up before. */
  readonly tracerProvider?: TracerProvider | undefined
  /** Default the global one, asked when the stages are made. */
  readonly meterProvider?: MeterProvider | undefined
  /** The version of the GenAI conventions whose names are used. Default `genai-1.42-dev`. */
  readonly conventions?: OtelConventions | undefined
  /**
   * Whose call it is, as `gen_ai.agent.name` on its span and, where the conventions have it, its duration: a name, or a function of
   * the call. The names must be few. Default none.
   */
  readonly agentName?: string | ((call: ToolCall) => string | undefined) | undefined
  /** Puts the arguments, as JSON, on the span; or what a function makes of them, `undefined` for nothing. Default false. */
  readonly recordArguments?: boolean | ((call: ToolCall) => string | undefined) | undefined
  /** Puts the value, as JSON, on the span of a success; or what a function makes of any result. Default false. */
  readonly recordResults?:
    | boolean
    | ((call: ToolCall, result: ToolExecutionResult) => string | undefined)
    | undefined
  /** Puts the message of a failure on the span. It may repeat what a tool was given. Default true. */
  readonly recordErrorMessages?: boolean | undefined
  /** How many characters a text on a span has at the most: arguments, results, messages, descriptions, names. Default 16 384. */
  readonly maxAttributeLength?: number | undefined
  /** Further attributes of a call's span. They do not replace those of the conventions. */
  readonly attributes?: ((call: ToolCall) => Attributes | undefined) | undefined
}

const KNOWN = [
  'tracerProvider',
  'meterProvider',
  'conventions',
  'agentName',
  'recordArguments',
  'recordResults',
  'recordErrorMessages',
  'maxAttributeLength',
  'attributes',
]

const refuse = (what: string): never => {
  throw new ToolgateError('INVALID_OPTIONS', `otelStages: ${what}`)
}

/** True if what should be a provider has the method that makes it one. */
function provides(provider: unknown, method: string): boolean {
  if (provider === undefined) return true
  if (typeof provider !== 'object' || provider === null) return false
  return typeof (provider as { readonly [method: string]: unknown })[method] === 'function'
}

/** The options, checked. @throws ToolgateError `INVALID_OPTIONS` */
export function otelOptions(options: OtelStagesOptions): OtelStagesOptions {
  if (typeof options !== 'object' || options === null) return refuse('its options must be an object')
  for (const key of Object.keys(options))
    if (!KNOWN.includes(key)) refuse(`it has no option "${key}"; it has ${KNOWN.join(', ')}`)
  const { conventions, maxAttributeLength: most, tracerProvider, meterProvider } = options
  if (!provides(tracerProvider, 'getTracer')) refuse('tracerProvider must be one: it has no getTracer')
  if (!provides(meterProvider, 'getMeter')) refuse('meterProvider must be one: it has no getMeter')
  if (conventions !== undefined && !Object.hasOwn(CONVENTIONS, conventions))
    refuse(`conventions must be one of ${Object.keys(CONVENTIONS).join(', ')}`)
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    refuse('maxAttributeLength must be a whole number of characters above 0')
  if (!['undefined', 'string', 'function'].includes(typeof options.agentName))
    refuse('agentName must be a name or a function')
  for (const key of ['recordArguments', 'recordResults'] as const)
    if (!['undefined', 'boolean', 'function'].includes(typeof options[key]))
      refuse(`${key} must be true, false or a function`)
  if (!['undefined', 'boolean'].includes(typeof options.recordErrorMessages))
    refuse('recordErrorMessages must be true or false')
  if (!['undefined', 'function'].includes(typeof options.attributes)) refuse('attributes must be a function')
  return options
}

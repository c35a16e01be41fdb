import {
  type Attributes,
  type Context,
  context,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { ToolgateError } from '../../errors/toolgate-error.js'
import type { Stages } from '../../pipeline/stages.js'
import type { ToolCall, ToolExecutionToken } from '../../tools/tool-call.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'
import {
  CONVENTIONS,
  DURATION_BUCKETS,
  metricAttributes,
  type OtelConventions,
  spanAttributes,
  spanName,
} from './conventions.js'

export type { OtelConventions } from './conventions.js'

/** Options of `otelStages`. */
export interface OtelStagesOptions {
  /** Default the global one, asked when the stages are made: set it up before. */
  readonly tracerProvider?: TracerProvider | undefined
  /** Default the global one, asked when the stages are made. */
  readonly meterProvider?: MeterProvider | undefined
  /** The version of the GenAI conventions whose names are used. Default `genai-0.1`. */
  readonly conventions?: OtelConventions | undefined
  /** Puts the arguments, as JSON, on the span; or what a function makes of them, `undefined` for nothing. Default false. */
  readonly recordArguments?: boolean | ((call: ToolCall) => string | undefined) | undefined
  /** Puts the value, as JSON, on the span of a success; or what a function makes of any result. Default false. */
  readonly recordResults?:
    | boolean
    | ((call: ToolCall, result: ToolExecutionResult) => string | undefined)
    | undefined
  /** Puts the message of a failure on the span. It may repeat what a tool was given. Default true. */
  readonly recordErrorMessages?: boolean | undefined
  /** How many characters of arguments and of a result are kept. Default 16 384. */
  readonly maxAttributeLength?: number | undefined
  /** Further attributes of a call's span. */
  readonly attributes?: ((call: ToolCall) => Attributes | undefined) | undefined
}

const KNOWN = [
  'tracerProvider',
  'meterProvider',
  'conventions',
  'recordArguments',
  'recordResults',
  'recordErrorMessages',
  'maxAttributeLength',
  'attributes',
]

const refuse = (what: string): never => {
  throw new ToolgateError('INVALID_OPTIONS', `otelStages: ${what}`)
}

function checked(options: OtelStagesOptions): OtelStagesOptions {
  if (typeof options !== 'object' || options === null) return refuse('its options must be an object')
  for (const key of Object.keys(options))
    if (!KNOWN.includes(key)) refuse(`it has no option "${key}"; it has ${KNOWN.join(', ')}`)
  const { conventions, maxAttributeLength: most } = options
  if (conventions !== undefined && !Object.hasOwn(CONVENTIONS, conventions))
    refuse(`conventions must be one of ${Object.keys(CONVENTIONS).join(', ')}`)
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    refuse('maxAttributeLength must be a whole number of characters above 0')
  for (const key of ['recordArguments', 'recordResults'] as const)
    if (!['undefined', 'boolean', 'function'].includes(typeof options[key]))
      refuse(`${key} must be true, false or a function`)
  if (!['undefined', 'boolean'].includes(typeof options.recordErrorMessages))
    refuse('recordErrorMessages must be true or false')
  if (!['undefined', 'function'].includes(typeof options.attributes)) refuse('attributes must be a function')
  return options
}

/** A call under way, as telemetry sees it. */
interface Watched {
  readonly span: Span
  readonly context: Context
  readonly startedAt: number
  /** When an approval was asked for, once the guards had nothing against it. */
  askedAt?: number
  asks?: boolean
  guarded?: boolean
}

/** How a wait for an approval ended that was not granted. With any other code nobody was asked. */
const UNGRANTED: { readonly [code: string]: string } = {
  APPROVAL_REJECTED: 'rejected',
  APPROVAL_CANCELLED: 'cancelled',
  APPROVAL_UNAVAILABLE: 'unavailable',
  ABORTED_BEFORE_DISPATCH: 'aborted',
}

/** Telemetry never changes what becomes of a call. */
function quietly<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch {
    return undefined
  }
}

/**
 * Stages that make a span for each call, `execute_tool {name}` by the GenAI conventions, and measure it. Put them first: the
 * span then holds policy, the wait for an approval (a span of its own, `approval {name}`), all attempts and the body, in
 * whose context the tool runs. Calls of programs and other nested calls are children of the call that makes them.
 *
 * Metrics: the conventions' histogram of durations, in seconds, and `toolgate.approval.duration`. A failure has its code in
 * `error.type`. Arguments and results are recorded only where the options say so. Without a provider nothing is recorded.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function otelStages(options: OtelStagesOptions = {}): Stages {
  const given = checked(options)
  const names = CONVENTIONS[given.conventions ?? 'genai-0.1']
  const most = given.maxAttributeLength ?? 16_384
  const { schemaUrl } = names
  const scope = { name: 'toolgate', options: schemaUrl === undefined ? {} : { schemaUrl } }
  const tracers = given.tracerProvider ?? trace.getTracerProvider()
  const meters = given.meterProvider ?? metrics.getMeterProvider()
  const tracer = tracers.getTracer(scope.name, undefined, scope.options)
  const meter = meters.getMeter(scope.name, undefined, scope.options)
  const histogram = { unit: 's', advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] } }
  const durations = meter.createHistogram(names.duration, {
    ...histogram,
    description: 'How long tool executions take',
  })
  const waits = meter.createHistogram('toolgate.approval.duration', {
    ...histogram,
    description: 'How long calls wait for an approval',
  })
  const watched = new WeakMap<ToolExecutionToken, Watched>()

  const cut = (text: string | undefined): string | undefined =>
    text !== undefined && text.length > most ? `${text.slice(0, most)}…` : text

  const record = (span: Span, key: string, textOf: () => string | undefined): void => {
    const text = quietly(() => cut(textOf()))
    if (text !== undefined) span.setAttribute(key, text)
  }

  /** Where the call belongs: what is active if that is of the parent's trace, else the parent. */
  const contextOf = (call: ToolCall): Context => {
    const active = context.active()
    const parent = call.parent === undefined ? undefined : watched.get(call.parent)
    if (parent === undefined) return active
    const within = trace.getSpan(active)?.spanContext().traceId === parent.span.spanContext().traceId
    return within ? active : parent.context
  }

  const open = (call: ToolCall): Watched => {
    const known = watched.get(call.token)
    if (known !== undefined) return known
    const around = contextOf(call)
    const attributes = { ...quietly(() => given.attributes?.(call)), ...spanAttributes(call) }
    const span = tracer.startSpan(spanName(call), { kind: SpanKind.INTERNAL, attributes }, around)
    const { recordArguments } = given
    if (recordArguments !== undefined && recordArguments !== false)
      record(span, names.arguments, () =>
        recordArguments === true ? JSON.stringify(call.arguments) : recordArguments(call),
      )
    const made: Watched = { span, context: trace.setSpan(around, span), startedAt: performance.now() }
    watched.set(call.token, made)
    return made
  }

  /** The wait for an approval is over: its span is made once its end is known. */
  const answered = (call: ToolCall, watch: Watched, outcome: string): void => {
    const { askedAt } = watch
    if (askedAt === undefined) return
    delete watch.askedAt
    const attributes = { 'gen_ai.tool.name': call.name, 'toolgate.approval.outcome': outcome }
    const span = tracer.startSpan(`approval ${call.name}`, { attributes, startTime: askedAt }, watch.context)
    const endedAt = Date.now()
    span.end(endedAt)
    waits.record((endedAt - askedAt) / 1_000, attributes, watch.context)
  }

  const close = (call: ToolCall, result: ToolExecutionResult): void => {
    const watch = open(call)
    const code = result.isError ? result.error.code : undefined
    const outcome = code === undefined ? undefined : UNGRANTED[code]
    if (outcome !== undefined) answered(call, watch, outcome)
    const { span, startedAt } = watch
    if (result.isError) {
      span.setAttribute('error.type', result.error.code)
      const message = given.recordErrorMessages === false ? result.error.code : result.error.message
      span.setStatus({ code: SpanStatusCode.ERROR, message: cut(message) ?? '' })
    }
    const { recordResults } = given
    if (typeof recordResults === 'function') record(span, names.result, () => recordResults(call, result))
    else if (recordResults === true && !result.isError)
      record(span, names.result, () => JSON.stringify(result.value))
    span.end()
    const seconds = (performance.now() - startedAt) / 1_000
    durations.record(seconds, metricAttributes(call, code), watch.context)
  }

  return {
    name: 'otel',
    async preExecute(call, next) {
      const watch = quietly(() => open(call))
      const decision = await next()
      if (watch !== undefined && decision.kind === 'ask') watch.asks = true
      return decision
    },
    // Asked before an approval and again after it: what lies between is the wait.
    guard(call) {
      const watch = watched.get(call.token)
      if (watch?.asks !== true) return undefined
      if (watch.guarded === true) quietly(() => answered(call, watch, 'allowed'))
      else {
        watch.guarded = true
        watch.askedAt = Date.now()
      }
      return undefined
    },
    execute(call, next) {
      const watch = watched.get(call.token)
      if (watch === undefined) return next()
      let running: Promise<ToolExecutionResult> | undefined
      quietly(() =>
        context.with(trace.setSpan(context.active(), watch.span), () => {
          running = next()
        }),
      )
      return running ?? next()
    },
    onResult(call, result) {
      quietly(() => close(call, result))
    },
  }
}

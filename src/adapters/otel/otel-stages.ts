import type { Stages } from '../../pipeline/stages.js'
import type { ToolCall, ToolExecutionToken } from '../../tools/tool-call.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'
import { attributeJson, attributeText } from './attribute-text.js'
import { activeContext, enterSpan, type Place, placeOf } from './call-context.js'
import { type CallWatch, ungranted } from './call-watch.js'
import { CONVENTIONS, DURATION_BUCKETS, durationAttributes, spanAttributes, spanName } from './conventions.js'
import { type Context, metrics, type Span, SpanKind, SpanStatusCode, trace } from './otel-api.js'
import { type OtelStagesOptions, otelOptions } from './otel-options.js'
import { quietly } from './quietly.js'
import { runIn } from './run-in.js'

export type { OtelConventions } from './conventions.js'
export type { OtelStagesOptions } from './otel-options.js'

const MAX_ATTRIBUTE_LENGTH = 16_384

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
  const given = otelOptions(options)
  const names = CONVENTIONS[given.conventions ?? 'genai-1.42-dev']
  const most = given.maxAttributeLength ?? MAX_ATTRIBUTE_LENGTH
  const { schemaUrl } = names
  const tracers = given.tracerProvider ?? trace.getTracerProvider()
  const meters = given.meterProvider ?? metrics.getMeterProvider()
  const tracer = tracers.getTracer('toolgate', undefined, { schemaUrl })
  const meter = meters.getMeter('toolgate', undefined, { schemaUrl })
  const histogram = { unit: 's', advice: { explicitBucketBoundaries: [...DURATION_BUCKETS] } }
  const durations = meter.createHistogram(names.duration, {
    ...histogram,
    description: 'How long tool executions take',
  })
  const waits = meter.createHistogram('toolgate.approval.duration', {
    ...histogram,
    description: 'How long calls wait for an approval',
  })
  const watched = new WeakMap<ToolExecutionToken, CallWatch>()
  const known = (token: ToolExecutionToken): CallWatch | undefined => watched.get(token)
  const textOf = (text: string): string => attributeText(text, most)

  const record = (span: Span, key: string, option: string, made: () => string | undefined): void => {
    quietly(option, () => {
      // What is not sampled is not even written.
      if (!span.isRecording()) return undefined
      const text: unknown = made()
      if (typeof text === 'string') span.setAttribute(key, textOf(text))
      return text
    })
  }

  const agentOf = (call: ToolCall): string | undefined => {
    const { agentName } = given
    if (typeof agentName !== 'function') return agentName
    const name: unknown = quietly('agentName', () => agentName(call))
    return typeof name === 'string' ? name : undefined
  }

  const startSpan = (call: ToolCall, agent: string | undefined, { base }: Place): Span | undefined => {
    const own = given.attributes && quietly('attributes', () => given.attributes?.(call))
    const attributes = {
      ...(own && quietly('attributes', () => ({ ...own }))),
      ...spanAttributes(call, agent, textOf),
    }
    return quietly('starting a span', () =>
      tracer.startSpan(spanName(call, textOf), { kind: SpanKind.INTERNAL, attributes }, base),
    )
  }

  const inside = (base: Context, outside: Context, call: ToolCall, span: Span | undefined) =>
    span && quietly('the context of a call', () => enterSpan(base, outside, call, span))

  const open = (call: ToolCall): CallWatch => {
    const before = watched.get(call.token)
    if (before !== undefined) return before
    const active = activeContext()
    const nowhere: Place = { base: active, outside: active, isActive: true }
    const place = quietly('finding the parent of a call', () => placeOf(call, known)) ?? nowhere
    const agent = agentOf(call)
    const span = startSpan(call, agent, place)
    const watch: CallWatch = {
      span,
      context: inside(place.base, place.outside, call, span) ?? place.base,
      agent,
      startedAt: performance.now(),
      outside: place.outside,
      isActive: place.isActive,
      entered: 0,
      asked: 0,
      asks: false,
      waitingSince: undefined,
      ended: false,
    }
    watched.set(call.token, watch)
    const { recordArguments } = given
    if (span !== undefined && recordArguments !== undefined && recordArguments !== false)
      record(span, names.arguments, 'recordArguments', () =>
        recordArguments === true ? attributeJson(call.arguments, most) : recordArguments(call),
      )
    return watch
  }

  /** The wait for an approval is over: its span is made once its end is known. */
  const answered = (call: ToolCall, watch: CallWatch, outcome: string): void => {
    const since = watch.waitingSince
    if (since === undefined) return
    watch.waitingSince = undefined
    const attributes = { 'gen_ai.tool.name': textOf(call.name), 'toolgate.approval.outcome': outcome }
    const waitedMs = performance.now() - since
    quietly('the span of an approval', () => {
      const endedAt = Date.now()
      const startTime = endedAt - waitedMs
      const name = `approval ${textOf(call.name)}`
      tracer.startSpan(name, { attributes, startTime }, watch.context).end(endedAt)
    })
    quietly('the duration of an approval', () => waits.record(waitedMs / 1_000, attributes, watch.context))
  }

  const describe = (span: Span, call: ToolCall, result: ToolExecutionResult): void => {
    if (result.isError) {
      const { code, message } = result.error
      quietly('error.type', () => void span.setAttribute('error.type', textOf(code)))
      const told = given.recordErrorMessages === false ? code : message
      quietly(
        'the status of a span',
        () => void span.setStatus({ code: SpanStatusCode.ERROR, message: textOf(told) }),
      )
    }
    const { recordResults } = given
    if (typeof recordResults === 'function')
      record(span, names.result, 'recordResults', () => recordResults(call, result))
    else if (recordResults === true && !result.isError)
      record(span, names.result, 'recordResults', () => attributeJson(result.value, most))
  }

  const close = (call: ToolCall, result: ToolExecutionResult): void => {
    const watch = open(call)
    if (watch.ended) return
    watch.ended = true
    const code = result.isError ? result.error.code : undefined
    const outcome = ungranted(watch, code)
    if (outcome !== undefined) answered(call, watch, outcome)
    const { span, agent } = watch
    if (span !== undefined) {
      describe(span, call, result)
      quietly('ending a span', () => span.end())
    }
    const seconds = (performance.now() - watch.startedAt) / 1_000
    quietly('the duration of a call', () =>
      durations.record(seconds, durationAttributes(names, call, { agent, code }, textOf), watch.context),
    )
  }

  return {
    name: 'otel',
    async preExecute(call, next) {
      const watch = open(call)
      watch.entered++
      const decision = await runIn(watch.context, next)
      if (decision.kind === 'ask') watch.asks = true
      return decision
    },
    // All are asked before an approval and all again after it: what lies between is the wait.
    guard(call) {
      const watch = open(call)
      watch.asked++
      const times = Math.max(watch.entered, 1)
      if (watch.asked > times) quietly('an approval', () => answered(call, watch, 'allowed'))
      else if (watch.asked === times && !(watch.asks && call.signal.aborted))
        watch.waitingSince = performance.now()
      return undefined
    },
    execute(call, next) {
      const watch = open(call)
      watch.waitingSince = undefined
      const { span, outside, isActive } = watch
      const active = activeContext()
      // Stages further out may have put something into the context.
      const here = isActive && active !== outside ? inside(active, outside, call, span) : undefined
      return runIn(here ?? watch.context, next)
    },
    onResult(call, result) {
      quietly('the end of a call', () => close(call, result))
    },
  }
}

import { DiagLogLevel, diag } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanLimits,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { createToolRegistry, type Stages, type ToolDefinition, type ToolRegistryOptions } from 'toolgate'
import { type OtelStagesOptions, otelStages } from 'toolgate/otel'

/** What an SDK saw: each span that began, and each that ended. */
class Ledger implements SpanProcessor {
  readonly started: ReadableSpan[] = []
  readonly ended: ReadableSpan[] = []
  onStart(span: unknown): void {
    this.started.push(span as ReadableSpan)
  }
  onEnd(span: ReadableSpan): void {
    this.ended.push(span)
  }
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

export interface Point {
  readonly metric: string
  readonly unit: string
  readonly attributes: object
  readonly count: number
  readonly sum: number
  readonly boundaries: readonly number[]
}

export interface Telemetry {
  readonly provider: BasicTracerProvider
  readonly meterProvider: MeterProvider
  readonly stages: Stages
  readonly ended: () => readonly ReadableSpan[]
  /** The one span of that name. */
  spanOf(name: string): ReadableSpan
  /** Throws unless every span that began has ended, once, and the SDK had nothing to say against it. */
  settled(): void
  points(): Promise<readonly Point[]>
}

export interface SdkOptions {
  readonly sampler?: Sampler
  readonly spanLimits?: SpanLimits
}

/** Stages over a real SDK of their own. */
export function telemetryOf(options: OtelStagesOptions = {}, sdk: SdkOptions = {}): Telemetry {
  const ledger = new Ledger()
  const said: string[] = []
  const hear = (...args: unknown[]): void => void said.push(args.map(String).join(' '))
  const logger = { error: hear, warn: hear, info: () => {}, debug: () => {}, verbose: () => {} }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const provider = new BasicTracerProvider({ spanProcessors: [ledger], ...sdk })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const stages = otelStages({ tracerProvider: provider, meterProvider, ...options })
  return {
    provider,
    meterProvider,
    stages,
    ended: () => ledger.ended,
    spanOf(name) {
      const found = ledger.ended.filter(span => span.name === name)
      if (found.length !== 1)
        throw new Error(`${found.length} spans ${name} of ${ledger.ended.map(span => span.name)}`)
      return found[0] as ReadableSpan
    },
    settled() {
      const idOf = (span: ReadableSpan): string => span.spanContext().spanId
      const began = ledger.started.map(idOf).sort()
      const ended = ledger.ended.map(idOf).sort()
      if (JSON.stringify(began) !== JSON.stringify(ended))
        throw new Error(`${began.length} spans began and ${ended.length} ended`)
      if (said.length > 0) throw new Error(`the SDK said: ${said.join('; ')}`)
    },
    async points() {
      await meterProvider.forceFlush()
      const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? []
      return scopes.flatMap(({ metrics }) =>
        metrics.flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => {
            const { count, sum, buckets } = value as {
              count: number
              sum: number
              buckets: { boundaries: number[] }
            }
            const { name: metric, unit } = descriptor
            return { metric, unit, attributes, count, sum, boundaries: buckets.boundaries }
          }),
        ),
      )
    },
  }
}

/** A registry under telemetry, which comes first. */
export function watchedRegistry(
  telemetry: Telemetry,
  tools: readonly ToolDefinition[],
  rest: Omit<ToolRegistryOptions, 'tools'> = {},
): ReturnType<typeof createToolRegistry> {
  return createToolRegistry({ ...rest, tools, stages: [telemetry.stages, ...(rest.stages ?? [])] })
}

import { context, type HrTime, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import {
  createToolRegistry,
  retryPolicy,
  type Stages,
  type ToolDefinition,
  type ToolRegistryOptions,
} from 'toolgate'
import { type OtelStagesOptions, otelStages } from 'toolgate/otel'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../../support/tools.js'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => context.disable())

function setup(
  tools: readonly ToolDefinition[],
  options: OtelStagesOptions = {},
  rest: Omit<ToolRegistryOptions, 'tools'> = {},
) {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const telemetry = otelStages({ tracerProvider, meterProvider, ...options })
  const registry = createToolRegistry({ ...rest, tools, stages: [telemetry, ...(rest.stages ?? [])] })
  const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
  const spanOf = (name: string): ReadableSpan => {
    const found = spans().filter(span => span.name === name)
    if (found.length !== 1)
      throw new Error(`${found.length} spans ${name} of ${spans().map(span => span.name)}`)
    return found[0] as ReadableSpan
  }
  const points = async (metric: string) => {
    await meterProvider.forceFlush()
    const all =
      measured
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
    await meterProvider.shutdown()
    return all
      .filter(({ descriptor }) => descriptor.name === metric)
      .flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({
          unit: descriptor.unit,
          attributes,
          count: (value as { count: number }).count,
        })),
      )
  }
  return { registry, spans, spanOf, points, tracer: tracerProvider.getTracer('test') }
}

const CALL = { callId: 'c1', name: 'work', arguments: { city: 'Oslo' } }
const ms = ([seconds, nanos]: HrTime): number => seconds * 1_000 + nanos / 1e6
const isWithin = (inner: ReadableSpan, outer: ReadableSpan): boolean =>
  ms(inner.startTime) >= ms(outer.startTime) - 2 && ms(inner.endTime) <= ms(outer.endTime) + 2

describe('the span of a call', () => {
  it('is named and described by the GenAI conventions, and says nothing of arguments and results', async () => {
    const { registry, spanOf } = setup([countedTool('work', () => 'sunny')])
    await registry.execute({ ...CALL, rootCallId: 'turn-1' })
    const span = spanOf('execute_tool work')
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'work',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.description': registry.get('work')?.description,
      'toolgate.scope': 'root',
      'toolgate.root_call.id': 'turn-1',
    })
    expect([span.kind, span.status.code, span.instrumentationScope.name]).toEqual([
      0,
      SpanStatusCode.UNSET,
      'toolgate',
    ])
  })

  it('has the code of a failure as its error type, and the message that the model reads', async () => {
    const tool = countedTool('work', () => {
      throw new Error('the disk is full')
    })
    for (const [recordErrorMessages, message] of [
      [undefined, 'the disk is full'],
      [false, 'TOOL_FAILED'],
    ] as const) {
      const { registry, spanOf } = setup([tool], { recordErrorMessages })
      await registry.execute(CALL)
      const { attributes, status } = spanOf('execute_tool work')
      expect(attributes['error.type']).toBe('TOOL_FAILED')
      expect(status).toMatchObject({ code: SpanStatusCode.ERROR, message: expect.stringContaining(message) })
    }
  })

  it('carries arguments and results where that is asked for, cut to a length', async () => {
    const tool = countedTool('work', () => 'x'.repeat(100))
    const record = { recordArguments: true, recordResults: true, maxAttributeLength: 20 }
    const { registry, spanOf } = setup([tool], record)
    await registry.execute(CALL)
    expect(spanOf('execute_tool work').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
      'gen_ai.tool.call.result': `"${'x'.repeat(18)}…`,
    })
  })

  it('carries what functions of the host make of arguments and results', async () => {
    const { registry, spanOf } = setup([countedTool('work', () => 'sunny')], {
      recordArguments: ({ name }) => `arguments of ${name}`,
      recordResults: (_call, { isError }) => (isError ? 'failed' : undefined),
      attributes: ({ caller }) => ({ 'user.id': String(caller) }),
    })
    await registry.execute({ ...CALL, caller: 'ada' })
    await registry.execute({ callId: 'c2', name: 'wrok' })
    expect(spanOf('execute_tool work').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': 'arguments of work',
      'user.id': 'ada',
    })
    expect('gen_ai.tool.call.result' in spanOf('execute_tool work').attributes).toBe(false)
    expect(spanOf('execute_tool').attributes['gen_ai.tool.call.result']).toBe('failed')
  })

  it('is there for each call, whatever ended it', async () => {
    const work = countedTool('work', () => 'one')
    const { registry, spans } = setup(
      [work],
      {},
      {
        stages: [
          {
            preExecute: (call, next) => (call.callId === 'denied' ? { kind: 'deny', reason: 'no' } : next()),
          },
        ],
      },
    )
    const results = await registry.executeAll([
      { callId: 'ok', name: 'work' },
      { callId: 'denied', name: 'work' },
      { callId: 'unknown', name: 'nothing' },
      { callId: 'ok', name: 'work' },
      { callId: 'bad', name: 'work', arguments: '{' },
      { callId: 'aborted', name: 'work', signal: AbortSignal.abort() },
      7 as never,
    ])
    const codes = results.map(result => (result.isError ? result.error.code : undefined))
    expect(codes.filter(code => code === undefined)).toHaveLength(1)
    expect(spans().map(span => span.attributes['error.type'])).toEqual(codes)
    expect(work.runs()).toBe(1)
  })

  it('does not take the names that models make up', async () => {
    const { registry, spanOf, points } = setup([])
    for (const name of ['a', 'b']) await registry.execute({ callId: name, name })
    expect(() => spanOf('execute_tool')).toThrow('2 spans')
    expect(await points('gen_ai.execute_tool.duration')).toMatchObject([
      { count: 2, attributes: { 'gen_ai.tool.name': '_OTHER', 'error.type': 'UNKNOWN_TOOL' } },
    ])
  })
})

describe('what a call is part of', () => {
  it('is the span that is active where it is made, and the body runs inside of its own', async () => {
    const inner: (string | undefined)[] = []
    const tool = countedTool('work', async () => {
      await Promise.resolve()
      inner.push(trace.getActiveSpan()?.spanContext().spanId)
    })
    const { registry, spanOf, tracer } = setup([tool])
    await tracer.startActiveSpan('agent', async agent => {
      await registry.execute(CALL)
      await registry.executeAll([{ ...CALL, callId: 'c2', name: 'none' }])
      agent.end()
    })
    const agent = spanOf('agent').spanContext()
    const span = spanOf('execute_tool work')
    expect(span.parentSpanContext?.spanId).toBe(agent.spanId)
    expect(spanOf('execute_tool').parentSpanContext?.spanId).toBe(agent.spanId)
    expect(inner).toEqual([span.spanContext().spanId])
  })

  it('is the program that makes it', async () => {
    const tools = [countedTool('work', () => 'one'), countedTool('other', () => 'two')]
    const { registry, spanOf } = setup(tools, {}, { mode: 'code', codeRuntime: quickJsRuntime() })
    const code = 'return await Promise.all([tools.work({}), tools.other({})])'
    await registry.execute({ callId: 'p', name: 'run_code', arguments: { code, description: 'Both' } })
    const program = spanOf('execute_tool run_code')
    for (const name of ['work', 'other']) {
      const span = spanOf(`execute_tool ${name}`)
      expect(span.parentSpanContext?.spanId).toBe(program.spanContext().spanId)
      expect(isWithin(span, program)).toBe(true)
    }
  })

  it('is the span that a body has opened around a nested call', async () => {
    const outer = countedTool('outer', (_args, { token: parent }) =>
      used.tracer.startActiveSpan('step', async step => {
        await used.registry.execute({ callId: 'n', name: 'work', parent })
        step.end()
      }),
    )
    const used: ReturnType<typeof setup> = setup([outer, countedTool('work')])
    await used.registry.execute({ callId: 'o', name: 'outer' })
    const step = used.spanOf('step')
    expect(step.parentSpanContext?.spanId).toBe(used.spanOf('execute_tool outer').spanContext().spanId)
    expect(used.spanOf('execute_tool work').parentSpanContext?.spanId).toBe(step.spanContext().spanId)
  })

  it('holds all attempts', async () => {
    let runs = 0
    const tool = countedTool('work', () => {
      runs++
      if (runs === 1) throw new Error('once')
      return 'ok'
    })
    const retry = retryPolicy({ attempts: 2, backoffMs: 0, retryable: () => true })
    const { registry, spanOf } = setup([tool], {}, { stages: [retry] })
    await registry.execute(CALL)
    expect(spanOf('execute_tool work').attributes['error.type']).toBeUndefined()
    expect(runs).toBe(2)
  })
})

describe('the wait for an approval', () => {
  const asking: Stages = { preExecute: () => ({ kind: 'ask' }) }
  it.each([
    ['allowed-once', 'allowed', 1],
    ['rejected', 'rejected', 0],
    ['cancelled', 'cancelled', 0],
  ] as const)('is a span of its own under the call: %s', async (answer, outcome, runs) => {
    const tool = countedTool('work')
    const human = gate()
    const approve = async (): Promise<typeof answer> => {
      await human.promise
      return answer
    }
    const { registry, spans, spanOf, points } = setup([tool], {}, { stages: [asking], approve })
    const pending = registry.execute(CALL)
    await settle()
    expect(spans()).toEqual([])
    human.open()
    await pending
    const [span, wait] = [spanOf('execute_tool work'), spanOf('approval work')]
    expect(wait.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
    expect(wait.attributes).toEqual({ 'gen_ai.tool.name': 'work', 'toolgate.approval.outcome': outcome })
    expect(isWithin(wait, span)).toBe(true)
    expect(await points('toolgate.approval.duration')).toMatchObject([{ unit: 's', count: 1 }])
    expect(tool.runs()).toBe(runs)
  })

  it('ends with the call that is aborted meanwhile', async () => {
    const tool = countedTool('work')
    const controller = new AbortController()
    const approve = (): Promise<never> => new Promise(() => {})
    const { registry, spanOf } = setup([tool], {}, { stages: [asking], approve })
    const pending = registry.execute({ ...CALL, signal: controller.signal })
    await settle()
    controller.abort()
    await pending
    expect(spanOf('approval work').attributes['toolgate.approval.outcome']).toMatch(/^(aborted|cancelled)$/)
    expect(tool.runs()).toBe(0)
  })

  it('is none where nobody was asked: a guard refused first, or there is no such tool', async () => {
    const tool = countedTool('work')
    const guard: Stages = { guard: () => 'never' }
    const { registry, spans } = setup(
      [tool],
      {},
      {
        stages: [asking, guard],
        approve: async () => 'allowed-once' as const,
      },
    )
    await registry.execute(CALL)
    await registry.execute({ callId: 'c2', name: 'nothing' })
    expect(
      spans()
        .map(span => span.name)
        .sort(),
    ).toEqual(['execute_tool', 'execute_tool work'])
    expect(tool.runs()).toBe(0)
  })

  it('is told of where a guard refuses after the grant', async () => {
    const tool = countedTool('work')
    let asked = false
    const approve = async () => {
      asked = true
      return 'allowed-once' as const
    }
    const guard: Stages = { guard: () => (asked ? 'not any more' : undefined) }
    const { registry, spanOf } = setup([tool], {}, { stages: [asking, guard], approve })
    await registry.execute(CALL)
    expect(spanOf('approval work').attributes['toolgate.approval.outcome']).toBe('allowed')
    expect(spanOf('execute_tool work').attributes['error.type']).toBe('GUARD_DENIED')
    expect(tool.runs()).toBe(0)
  })
})

describe('the metrics', () => {
  it('are the durations of calls by tool and outcome, in seconds', async () => {
    const tool = countedTool('work', args => {
      if ((args as { fail?: boolean }).fail) throw new Error('no')
      return 'one'
    })
    const { registry, points } = setup([tool])
    for (const fail of [true, false, false])
      await registry.execute({ callId: 'c', name: 'work', arguments: { fail } })
    const base = {
      'gen_ai.tool.name': 'work',
      'gen_ai.tool.type': 'function',
    }
    expect(await points('gen_ai.execute_tool.duration')).toEqual([
      { unit: 's', count: 1, attributes: { ...base, 'error.type': 'TOOL_FAILED' } },
      { unit: 's', count: 2, attributes: base },
    ])
  })

  it('and attributes have the names of the version that is asked for', async () => {
    const { registry, spanOf, points } = setup([countedTool('work')], {
      conventions: 'semconv-1.36',
      recordArguments: true,
    })
    await registry.execute(CALL)
    const { attributes, instrumentationScope } = spanOf('execute_tool work')
    expect(attributes['toolgate.call.arguments']).toBe('{"city":"Oslo"}')
    expect(instrumentationScope.schemaUrl).toBe('https://opentelemetry.io/schemas/1.36.0')
    expect(await points('gen_ai.client.operation.duration')).toMatchObject([{ count: 1 }])
  })
})

describe('telemetry', () => {
  const broken = (): never => {
    throw new Error('the exporter is down')
  }
  it.each([
    ['startSpan', { startSpan: broken }],
    [
      'a span',
      { startSpan: () => ({ setAttribute: broken, setStatus: broken, end: broken, spanContext: broken }) },
    ],
  ])('that breaks changes nothing of a call: %s', async (_what, tracer) => {
    const tracerProvider = { getTracer: () => tracer } as unknown as TracerProvider
    const tool = countedTool('work', () => 'fine')
    const { registry } = setup([tool], {
      tracerProvider,
      attributes: broken,
      recordArguments: broken,
      recordResults: broken,
    })
    expect(await registry.execute(CALL)).toMatchObject({ isError: false, value: 'fine' })
    expect(tool.runs()).toBe(1)
  })

  it('is nothing without a provider', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('work', () => 'fine')],
      stages: [otelStages()],
    })
    expect(await registry.execute(CALL)).toMatchObject({ isError: false, value: 'fine' })
  })

  it.each([
    [{ conventions: 'latest' }, 'conventions must be one of genai-1.42-dev, semconv-1.41, semconv-1.36'],
    [{ recordArgs: true }, 'it has no option "recordArgs"'],
    [{ recordResults: 'yes' }, 'recordResults must be true, false or a function'],
    [{ recordErrorMessages: 1 }, 'recordErrorMessages must be true or false'],
    [{ maxAttributeLength: 0 }, 'maxAttributeLength must be a whole number'],
    [{ attributes: {} }, 'attributes must be a function'],
    [null, 'its options must be an object'],
  ])('has its options checked: %j', (options, message) => {
    expect(() => otelStages(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) }),
    )
  })
})

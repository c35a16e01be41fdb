import {
  type Context,
  type ContextManager,
  context,
  type MeterProvider,
  ROOT_CONTEXT,
  type TracerProvider,
} from '@opentelemetry/api'
import { createToolRegistry, type Stages } from 'toolgate'
import { type OtelStagesOptions, otelStages } from 'toolgate/otel'
import { afterEach, describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../../support/tools.js'
import { telemetryOf, watchedRegistry } from './otel-world.js'

afterEach(() => context.disable())

const broken = (): never => {
  throw new Error('the exporter is down')
}
const provider = (tracer: object): TracerProvider =>
  ({ getTracer: () => tracer }) as unknown as TracerProvider
const meters = (histogram: object): MeterProvider =>
  ({ getMeter: () => ({ createHistogram: () => histogram }) }) as unknown as MeterProvider
const unreadable = new Proxy({}, { get: broken, ownKeys: broken, getOwnPropertyDescriptor: broken })
const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }

const OPTIONS: readonly (readonly [string, OtelStagesOptions])[] = [
  ['a tracer that throws', { tracerProvider: provider({ startSpan: broken }) }],
  ['a tracer that makes nothing', { tracerProvider: provider({ startSpan: () => undefined }) }],
  ['a tracer that makes no object', { tracerProvider: provider({ startSpan: () => 5 }) }],
  ['a span that is not to be read', { tracerProvider: provider({ startSpan: () => unreadable }) }],
  ['a histogram that throws', { meterProvider: meters({ record: broken }) }],
  ['no histogram', { meterProvider: meters(undefined as never) }],
  [
    'functions that throw',
    { attributes: broken, agentName: broken, recordArguments: broken, recordResults: broken },
  ],
  ['attributes that are not to be read', { attributes: () => unreadable as never }],
  [
    'functions that reject',
    Object.fromEntries(
      ['attributes', 'agentName', 'recordArguments', 'recordResults'].map(name => [
        name,
        async () => broken(),
      ]),
    ),
  ],
  [
    'functions that answer what is no text',
    { agentName: () => 5 as never, recordArguments: () => ({}) as never, recordResults: () => 7 as never },
  ],
  [
    'attributes that are none',
    { attributes: () => ({ a: { b: 1 }, 'gen_ai.tool.name': 'mine', c: Symbol('s'), d: 5n }) as never },
  ],
]

class BrokenManager implements ContextManager {
  readonly #calls: 'never' | 'before' | 'twice'
  constructor(calls: 'never' | 'before' | 'twice') {
    this.#calls = calls
  }
  active = (): Context => (this.#calls === 'never' ? broken() : ROOT_CONTEXT)
  with = ((_context: Context, step: () => unknown): unknown => {
    if (this.#calls !== 'never') step()
    if (this.#calls === 'twice') step()
    return broken()
  }) as ContextManager['with']
  bind = <T>(_context: Context, target: T): T => target
  enable = (): this => this
  disable = (): this => this
}

describe('telemetry that breaks changes nothing of a call', () => {
  it.each(OPTIONS)('%s', async (_what, options) => {
    const tool = countedTool('work', () => 'fine')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [otelStages({ ...telemetryProviders(), ...options }), ask],
      approve: () => 'allowed-once' as const,
    })
    const results = await registry.executeAll([
      { callId: 'a', name: 'work' },
      { callId: 'b', name: 'nowhere' },
    ])
    expect(results).toMatchObject([{ value: 'fine' }, { error: { code: 'UNKNOWN_TOOL' } }])
    await settle()
    expect(tool.runs()).toBe(1)
  })

  it.each(['never', 'before', 'twice'] as const)('a context manager that runs a step %s', async calls => {
    context.setGlobalContextManager(new BrokenManager(calls))
    const tool = countedTool('work', () => 'fine')
    const registry = createToolRegistry({ tools: [tool], stages: [otelStages(telemetryProviders())] })
    expect(await registry.execute({ callId: 'a', name: 'work' })).toMatchObject({ value: 'fine' })
    expect(tool.runs()).toBe(1)
  })

  it('a span that takes no attribute has ended nonetheless, and the call is measured', async () => {
    let ends = 0
    const span = { setAttribute: broken, setStatus: broken, isRecording: broken, end: () => ends++ }
    const telemetry = telemetryOf({
      tracerProvider: provider({ startSpan: () => span }),
      recordResults: true,
    })
    const registry = watchedRegistry(telemetry, [countedTool('work', broken)])
    await registry.execute({ callId: 'a', name: 'work' })
    expect(ends).toBe(1)
    expect(await telemetry.points()).toMatchObject([
      { count: 1, attributes: { 'error.type': 'TOOL_FAILED' } },
    ])
  })

  it('a call without a span is measured', async () => {
    const telemetry = telemetryOf({ tracerProvider: provider({ startSpan: broken }) })
    await watchedRegistry(telemetry, [countedTool('work')]).execute({ callId: 'a', name: 'work' })
    expect(await telemetry.points()).toMatchObject([{ count: 1 }])
  })

  it('what the host adds does not take the place of what the conventions say', async () => {
    const telemetry = telemetryOf({ attributes: () => ({ 'gen_ai.tool.name': 'mine', 'user.id': 'ada' }) })
    await watchedRegistry(telemetry, [countedTool('work')]).execute({ callId: 'a', name: 'work' })
    expect(telemetry.spanOf('execute_tool work').attributes).toMatchObject({
      'gen_ai.tool.name': 'work',
      'user.id': 'ada',
    })
  })

  it.each([
    [{ tracerProvider: {} }, 'tracerProvider must be one: it has no getTracer'],
    [{ meterProvider: 5 }, 'meterProvider must be one: it has no getMeter'],
    [{ agentName: 5 }, 'agentName must be a name or a function'],
  ])('a wrong option is refused at once: %j', (options, message) => {
    expect(() => otelStages(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) }),
    )
  })
})

describe('the same stages in two places', () => {
  it('make one span and one duration of a call, and no approval of a guard that is asked twice', async () => {
    const telemetry = telemetryOf()
    const tool = countedTool('work')
    const registry = watchedRegistry(telemetry, [tool], { stages: [telemetry.stages] })
    const scope = registry.createScope({ id: 'child', stages: [telemetry.stages] })
    await scope.execute({ callId: 'a', name: 'work' })
    await registry.execute({ callId: 'b', name: 'nowhere' })
    telemetry.settled()
    expect(telemetry.ended().map(span => span.name)).toEqual(['execute_tool work', 'execute_tool'])
    expect((await telemetry.points()).map(({ count }) => count)).toEqual([1, 1])
  })

  it('see an approval once', async () => {
    const telemetry = telemetryOf()
    const tool = countedTool('work')
    const human = gate()
    const registry = watchedRegistry(telemetry, [tool], {
      stages: [telemetry.stages, ask],
      approve: async () => (await human.promise, 'allowed-once' as const),
    })
    const running = registry.execute({ callId: 'a', name: 'work' })
    await settle()
    human.open()
    await running
    expect(telemetry.ended().map(span => span.name)).toEqual(['approval work', 'execute_tool work'])
    expect(telemetry.spanOf('approval work').attributes['toolgate.approval.outcome']).toBe('allowed')
  })
})

describe('the wait for an approval', () => {
  it('is seen though a stage further out asks', async () => {
    const telemetry = telemetryOf()
    for (const answer of ['allowed-once', 'rejected'] as const) {
      const registry = createToolRegistry({
        tools: [countedTool('work')],
        stages: [ask, telemetry.stages],
        approve: () => answer,
      })
      await registry.execute({ callId: answer, name: 'work' })
    }
    const waits = telemetry.ended().filter(span => span.name === 'approval work')
    expect(waits.map(span => span.attributes['toolgate.approval.outcome'])).toEqual(['allowed', 'rejected'])
  })

  it('is none where the call was aborted before anybody was asked', async () => {
    const telemetry = telemetryOf()
    const tool = countedTool('work')
    const controller = new AbortController()
    let asked = 0
    const registry = watchedRegistry(telemetry, [tool], {
      stages: [{ preExecute: () => (controller.abort(), { kind: 'ask' }) }],
      approve: () => (asked++, 'allowed-once' as const),
    })
    await registry.execute({ callId: 'a', name: 'work', signal: controller.signal })
    expect([asked, tool.runs(), telemetry.ended().map(span => span.name)]).toEqual([
      0,
      0,
      ['execute_tool work'],
    ])
  })

  it('is none of a tool that throws the code of a refused one', async () => {
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [
      countedTool('work', () => {
        throw Object.assign(new Error('no'), { code: 'APPROVAL_REJECTED' })
      }),
    ])
    await registry.execute({ callId: 'a', name: 'work' })
    expect(telemetry.ended().map(span => span.name)).toEqual(['execute_tool work'])
  })

  it('lies within the call, by a clock that nobody sets back', async () => {
    const telemetry = telemetryOf()
    const real = Date.now
    const registry = watchedRegistry(telemetry, [countedTool('work')], {
      stages: [ask],
      approve: () => {
        const now = real()
        Date.now = () => now - 3_600_000
        return 'allowed-once' as const
      },
    })
    try {
      await registry.execute({ callId: 'a', name: 'work' })
    } finally {
      Date.now = real
    }
    const wait = (await telemetry.points()).find(({ metric }) => metric === 'toolgate.approval.duration')
    expect(wait?.sum).toBeGreaterThanOrEqual(0)
    expect(wait?.sum).toBeLessThan(60)
  })
})

function telemetryProviders(): OtelStagesOptions {
  const { provider: tracerProvider, meterProvider } = telemetryOf()
  return { tracerProvider, meterProvider }
}

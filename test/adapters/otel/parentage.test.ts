import { context, createContextKey, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { createToolRegistry, type Stages, type ToolExecutionToken } from 'toolgate'
import { otelStages } from 'toolgate/otel'
import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countedTool, gate } from '../../support/tools.js'
import { telemetryOf, watchedRegistry } from './otel-world.js'

const idOf = (span: ReadableSpan | Span | undefined): string | undefined => span?.spanContext().spanId
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId
const safe = { isConcurrencySafe: () => true }

const runtimes = {
  quickJsRuntime: () => quickJsRuntime(),
  quickJsWorkerRuntime: () => quickJsWorkerRuntime(),
}

describe('where a context manager keeps the active span', () => {
  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
  afterAll(() => context.disable())

  it.each(Object.entries(runtimes))(
    'the calls of each program are its own children, in one trace and one after the other: %s',
    async (_name, createRuntime) => {
      const telemetry = telemetryOf()
      const codeRuntime = createRuntime()
      const registry = watchedRegistry(telemetry, [countedTool('work', () => 'one', safe)], {
        mode: 'code',
        codeRuntime,
      })
      const tracer = telemetry.provider.getTracer('agent')
      await tracer.startActiveSpan('agent', async agent => {
        for (const callId of ['p1', 'p2', 'p3']) {
          const code = 'await tools.work({}); return await Promise.all([tools.work({}), tools.work({})])'
          await registry.execute({ callId, name: 'run_code', arguments: { code, description: 'For a test' } })
        }
        agent.end()
      })
      await registry.dispose()
      telemetry.settled()
      const programs = telemetry.ended().filter(span => span.name === 'execute_tool run_code')
      expect(programs.map(parentOf)).toEqual(Array(3).fill(idOf(telemetry.spanOf('agent'))))
      for (const program of programs) {
        const callId = program.attributes['gen_ai.tool.call.id']
        const calls = telemetry
          .ended()
          .filter(
            span => span.name === 'execute_tool work' && span.attributes['toolgate.root_call.id'] === callId,
          )
        expect(calls.map(parentOf)).toEqual(Array(3).fill(idOf(program)))
      }
    },
  )

  it('the calls of programs that overlap are children of their own program', async () => {
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [countedTool('work', () => 'one', safe)], {
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const code = 'for (let i = 0; i < 5; i++) await tools.work({}); return 1'
    await Promise.all(
      ['p1', 'p2', 'p3'].map(callId =>
        registry.execute({ callId, name: 'run_code', arguments: { code, description: 'For a test' } }),
      ),
    )
    const works = telemetry.ended().filter(span => span.name === 'execute_tool work')
    expect(works).toHaveLength(15)
    for (const work of works) {
      const parent = telemetry.ended().find(span => idOf(span) === parentOf(work))
      expect(parent?.attributes['gen_ai.tool.call.id']).toBe(work.attributes['toolgate.root_call.id'])
    }
  })

  it('a body runs in its span, with what else the caller put into the context, and so does what it awaits', async () => {
    const telemetry = telemetryOf()
    const key = createContextKey('tenant')
    const seen: unknown[] = []
    const look = (): void => void seen.push([idOf(trace.getActiveSpan()), context.active().getValue(key)])
    const tool = countedTool('work', async () => {
      look()
      await new Promise(done => setTimeout(done, 1))
      look()
      setTimeout(look, 1)
      await new Promise(done => setTimeout(done, 3))
    })
    const registry = watchedRegistry(telemetry, [tool])
    await context.with(context.active().setValue(key, 'acme'), () =>
      registry.executeAll([{ callId: 'a', name: 'work' }]),
    )
    expect(seen).toEqual(Array(3).fill([idOf(telemetry.spanOf('execute_tool work')), 'acme']))
    expect(trace.getActiveSpan()).toBeUndefined()
  })

  it('calls of a batch are siblings, whichever starts after which', async () => {
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [
      countedTool('alone'),
      countedTool('safe', () => 1, safe),
      countedTool('broken', () => Promise.reject(new Error('x'))),
    ])
    const names = ['alone', 'safe', 'safe', 'broken', 'alone', 'nowhere', 'safe']
    await telemetry.provider.getTracer('agent').startActiveSpan('agent', async agent => {
      await registry.executeAll(
        names.map((name, i) => ({ callId: `c${i}`, name })),
        { maxParallel: 1 },
      )
      agent.end()
    })
    const calls = telemetry.ended().filter(span => span.name !== 'agent')
    expect(calls.map(parentOf)).toEqual(Array(7).fill(idOf(telemetry.spanOf('agent'))))
  })

  it('a call is the child of the parent that it names, though another call is nearer', async () => {
    const telemetry = telemetryOf()
    let outerToken: ToolExecutionToken | undefined
    const registry = watchedRegistry(telemetry, [
      countedTool('outer', (_args, { token }) => {
        outerToken = token
        return registry.execute({ callId: 'i', name: 'inner', parent: token }).then(() => 1)
      }),
      countedTool('inner', () =>
        registry
          .execute({ callId: 'l', name: 'leaf', parent: outerToken as ToolExecutionToken })
          .then(() => 1),
      ),
      countedTool('leaf'),
    ])
    await telemetry.provider.getTracer('agent').startActiveSpan('agent', async agent => {
      await registry.execute({ callId: 'o', name: 'outer' })
      agent.end()
    })
    const outer = telemetry.spanOf('execute_tool outer')
    expect(parentOf(telemetry.spanOf('execute_tool inner'))).toBe(idOf(outer))
    expect(parentOf(telemetry.spanOf('execute_tool leaf'))).toBe(idOf(outer))
  })

  it('what other stages do is inside of the span, those before the body too', async () => {
    const telemetry = telemetryOf()
    const seen: unknown[] = []
    const look = <T>(answer: T): T => (seen.push(idOf(trace.getActiveSpan())), answer)
    const stage: Stages = {
      preExecute: async (_call, next) => look(await next()),
      execute: async (_call, next) => look(await next()),
    }
    const registry = watchedRegistry(telemetry, [countedTool('work')], { stages: [stage] })
    await registry.execute({ callId: 'a', name: 'work' })
    expect(seen).toEqual(Array(2).fill(idOf(telemetry.spanOf('execute_tool work'))))
  })

  it('two stages at once make two trees, each of spans of its own', async () => {
    const [one, two] = [telemetryOf(), telemetryOf()]
    const registry = createToolRegistry({
      tools: [countedTool('work', () => 'one', safe)],
      stages: [one.stages, two.stages],
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const code = 'await tools.work({}); return await tools.work({})'
    const agent = one.provider.getTracer('agent').startSpan('agent')
    await context.with(trace.setSpan(context.active(), agent), () =>
      registry.execute({ callId: 'p', name: 'run_code', arguments: { code, description: 'For a test' } }),
    )
    agent.end()
    for (const telemetry of [one, two]) {
      telemetry.settled()
      const program = telemetry.spanOf('execute_tool run_code')
      expect(parentOf(program)).toBe(idOf(agent))
      const works = telemetry.ended().filter(span => span.name === 'execute_tool work')
      expect(works.map(parentOf)).toEqual([idOf(program), idOf(program)])
    }
  })

  it('a stage that is not the first one still has the body inside of its span', async () => {
    const telemetry = telemetryOf()
    const seen: unknown[] = []
    const decides: Stages = { preExecute: () => ({ kind: 'allow' }) }
    const registry = createToolRegistry({
      tools: [countedTool('work', () => void seen.push(idOf(trace.getActiveSpan())))],
      stages: [decides, telemetry.stages],
    })
    await registry.execute({ callId: 'a', name: 'work' })
    expect(seen).toEqual([idOf(telemetry.spanOf('execute_tool work'))])
  })
})

describe('without a context manager', () => {
  it('calls of programs are children of their program, and bodies run', async () => {
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [countedTool('work', () => 'one', safe)], {
      mode: 'code',
      codeRuntime: quickJsRuntime(),
    })
    const code = 'return await Promise.all([tools.work({}), tools.work({})])'
    await registry.execute({ callId: 'p', name: 'run_code', arguments: { code, description: 'For a test' } })
    telemetry.settled()
    const program = telemetry.spanOf('execute_tool run_code')
    const works = telemetry.ended().filter(span => span.name === 'execute_tool work')
    expect(works.map(parentOf)).toEqual([idOf(program), idOf(program)])
  })

  it('the wait for an approval is a child of its call', async () => {
    const telemetry = telemetryOf()
    const human = gate()
    const registry = watchedRegistry(telemetry, [countedTool('work')], {
      stages: [{ preExecute: () => ({ kind: 'ask' }) }],
      approve: async () => (await human.promise, 'allowed-once' as const),
    })
    const running = registry.execute({ callId: 'a', name: 'work' })
    human.open()
    await running
    expect(parentOf(telemetry.spanOf('approval work'))).toBe(idOf(telemetry.spanOf('execute_tool work')))
  })

  it('nor a provider, stages do nothing and cost no outcome', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], stages: [otelStages(), otelStages()] })
    expect(await registry.execute({ callId: 'a', name: 'work' })).toMatchObject({ isError: false })
    expect(tool.runs()).toBe(1)
  })
})

import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  createToolRegistry,
  retryPolicy,
  type Stages,
  type ToolExecutionInput,
  ToolgateError,
  type ToolRegistryOptions,
  timeoutPolicy,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CountedTool, countedTool, gate, settle } from '../../support/tools.js'
import { telemetryOf, watchedRegistry } from './otel-world.js'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())

const broken = (): never => {
  throw new Error('broken')
}
const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }
const forever = (): Promise<never> => new Promise(() => {})

interface Ending {
  readonly code: string | undefined
  readonly tool?: CountedTool
  readonly runs?: number
  readonly rest?: Omit<ToolRegistryOptions, 'tools'>
  readonly input?: Partial<ToolExecutionInput>
}

const stageThat = (code: string, stage: Stages, runs: number = 0): Ending => ({
  code,
  runs,
  rest: { stages: [stage] },
})

const ENDINGS: { readonly [what: string]: () => Ending } = {
  'a success': () => ({ code: undefined, runs: 1 }),
  'a denial': () => stageThat('DENIED', { preExecute: () => ({ kind: 'deny', reason: 'no' }) }),
  'a guard': () => stageThat('GUARD_DENIED', { guard: () => 'no' }),
  'a guard that throws': () => stageThat('STAGE_FAILED', { guard: broken }),
  'a pre-execute stage that throws': () => stageThat('STAGE_FAILED', { preExecute: broken }),
  'a pre-execute stage that answers nonsense': () =>
    stageThat('INVALID_DECISION', { preExecute: () => 'yes' as never }),
  'an around stage that throws before the body': () => stageThat('STAGE_FAILED', { execute: broken }),
  'an around stage that throws after the body': () =>
    stageThat('STAGE_FAILED', { execute: async (_call, next) => (await next(), broken()) }, 1),
  'an around stage that answers without the body': () =>
    stageThat('INVALID_DECISION', { execute: async () => 5 as never }),
  'a post-execute stage that blocks': () =>
    stageThat('BLOCKED', { postExecute: () => ({ kind: 'block', feedback: [] }) }, 1),
  'a post-execute stage that throws': () => stageThat('STAGE_FAILED', { postExecute: broken }, 1),
  'arguments that do not match': () => ({
    code: 'INVALID_ARGS',
    tool: countedTool('work', () => 1, {
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      validateArguments: true,
    }),
  }),
  'arguments that are not JSON': () => ({ code: 'ARGUMENTS_NOT_JSON', input: { arguments: '{' } }),
  'an unknown tool': () => ({ code: 'UNKNOWN_TOOL', input: { name: 'wrok' } }),
  'an unknown scope': () => ({ code: 'UNKNOWN_SCOPE', input: { scope: 'nowhere' } }),
  'a parent that is none': () => ({ code: 'INVALID_PARENT', input: { parent: {} as never } }),
  'no call at all': () => ({ code: 'INVALID_CALL', input: { name: 5 as never } }),
  'an approval that is rejected': () => ({
    code: 'APPROVAL_REJECTED',
    rest: { stages: [ask], approve: () => 'rejected' as const },
  }),
  'an approver that throws': () => ({
    code: 'APPROVAL_UNAVAILABLE',
    rest: { stages: [ask], approve: broken },
  }),
  'nobody to ask': () => ({ code: 'APPROVAL_UNAVAILABLE', rest: { stages: [ask] } }),
  'an approval that is never given, and an abort': () => {
    const controller = new AbortController()
    const approve = (): Promise<never> => (setTimeout(() => controller.abort(), 5), forever())
    return {
      code: 'ABORTED_BEFORE_DISPATCH',
      rest: { stages: [ask], approve },
      input: { signal: controller.signal },
    }
  },
  'an abort before the start': () => ({
    code: 'ABORTED_BEFORE_DISPATCH',
    input: { signal: AbortSignal.abort() },
  }),
  'an abort in a pre-execute stage that never answers': () => {
    const controller = new AbortController()
    const preExecute = (): Promise<never> => (controller.abort(), forever())
    return {
      code: 'ABORTED_BEFORE_DISPATCH',
      rest: { stages: [{ preExecute }], abortGraceMs: 1 },
      input: { signal: controller.signal },
    }
  },
  'an abort of a body that obeys': () => {
    const controller = new AbortController()
    const tool = countedTool('work', (_args, { signal }) => {
      controller.abort()
      return signal.throwIfAborted()
    })
    return { code: 'ABORTED', tool, runs: 1, input: { signal: controller.signal } }
  },
  'an abort of a body that goes on': () => {
    const controller = new AbortController()
    const tool = countedTool('work', () => (controller.abort(), forever()))
    return { code: 'ABORTED', tool, runs: 1, rest: { abortGraceMs: 1 }, input: { signal: controller.signal } }
  },
  'a deadline and a body that goes on': () => ({
    code: 'TOOL_TIMEOUT',
    tool: countedTool('work', forever),
    runs: 1,
    rest: { stages: [timeoutPolicy({ defaultMs: 5 })], abortGraceMs: 1 },
  }),
  'attempts that all fail': () => ({
    code: 'TOOL_FAILED',
    tool: countedTool('work', broken),
    runs: 3,
    rest: { stages: [retryPolicy({ attempts: 3, backoffMs: 0, retryable: () => true })] },
  }),
  'a tool that throws a code of its own': () => ({
    code: 'NO_MONEY',
    tool: countedTool('work', () => {
      throw new ToolgateError('NO_MONEY', 'no money')
    }),
    runs: 1,
  }),
  'output that its schema does not allow': () => ({
    code: 'INVALID_TOOL_OUTPUT',
    tool: countedTool('work', () => 'x', { output: { schema: { type: 'number' }, render: () => [] } }),
    runs: 1,
  }),
  'the last word of a tool that throws': () => ({
    code: 'TOOL_FAILED',
    tool: countedTool('work', () => 'x', { finalizeContent: broken }),
    runs: 1,
  }),
}

describe('every call has one span, which has ended with it, and one duration', () => {
  it.each(Object.entries(ENDINGS))('%s', async (_what, create) => {
    const { code, tool = countedTool('work'), runs = 0, rest = {}, input = {} } = create()
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [tool], rest)
    const result = await registry.execute({ callId: 'c1', name: 'work', ...input })
    expect(result.isError ? result.error.code : undefined).toBe(code)
    telemetry.settled()
    const calls = telemetry.ended().filter(span => span.name.startsWith('execute_tool'))
    expect(calls.map(span => span.attributes['error.type'])).toEqual([code])
    expect(calls[0]?.status.code).toBe(code === undefined ? 0 : 2)
    const durations = (await telemetry.points()).filter(({ metric }) => metric.startsWith('gen_ai'))
    expect(durations.map(({ count }) => count)).toEqual([1])
    expect(tool.runs()).toBe(runs)
  })

  it('a scope that is disposed', async () => {
    const telemetry = telemetryOf()
    const tool = countedTool('work', (_args, { signal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const registry = watchedRegistry(telemetry, [tool])
    const scope = registry.createScope({ id: 'child' })
    const running = scope.execute({ callId: 'a', name: 'work' })
    await settle()
    await scope.dispose()
    await running
    await registry.execute({ callId: 'b', name: 'work', scope: 'child' })
    await registry.dispose()
    await registry.execute({ callId: 'c', name: 'work' })
    telemetry.settled()
    expect(telemetry.ended()).toHaveLength(3)
    expect(tool.runs()).toBe(1)
  })

  it('a batch with ids that are there twice, and one that is aborted in the middle', async () => {
    const telemetry = telemetryOf()
    const controller = new AbortController()
    const stop = countedTool('stop', () => controller.abort())
    const work = countedTool('work')
    const registry = watchedRegistry(telemetry, [stop, work])
    const inputs = ['a', 'a', 'b', 'c'].map((callId, i) => ({ callId, name: i === 2 ? 'stop' : 'work' }))
    const results = await registry.executeAll(inputs, { signal: controller.signal })
    telemetry.settled()
    const codes = results.map(result => (result.isError ? result.error.code : undefined))
    expect(telemetry.ended().map(span => span.attributes['error.type'])).toEqual(codes)
    expect(codes).toEqual([undefined, 'DUPLICATE_CALL_ID', 'ABORTED', 'ABORTED_BEFORE_DISPATCH'])
    expect([stop.runs(), work.runs()]).toEqual([1, 1])
  })

  it('a consumer of executeEach who leaves', async () => {
    const telemetry = telemetryOf()
    const registry = watchedRegistry(telemetry, [countedTool('work')])
    const inputs = ['a', 'b', 'c'].map(callId => ({ callId, name: 'work' }))
    for await (const _first of registry.executeEach(inputs)) break
    telemetry.settled()
    expect(telemetry.ended().length).toBeGreaterThan(0)
  })

  it('the calls of a program that were not awaited, came too late, or were abandoned', async () => {
    const telemetry = telemetryOf()
    const never = gate()
    const tools = [
      countedTool('quick', () => 'ok', { isConcurrencySafe: () => true }),
      countedTool('slow', () => never.promise, { isConcurrencySafe: () => true }),
    ]
    const registry = watchedRegistry(telemetry, tools, {
      mode: 'code',
      codeRuntime: quickJsRuntime({ limits: { drainMs: 20, wallMs: 200 } }),
      abortGraceMs: 10,
    })
    const run = (callId: string, code: string) =>
      registry.execute({ callId, name: 'run_code', arguments: { code, description: 'For a test' } })
    await run('a', 'tools.quick({}); return 1')
    await run('b', 'tools.slow({}); await tools.quick({}); throw new Error("x")')
    await run('c', 'await tools.slow({})')
    never.open()
    await settle()
    await registry.dispose()
    telemetry.settled()
    expect(telemetry.ended().filter(span => span.name === 'execute_tool run_code')).toHaveLength(3)
    expect(telemetry.ended().filter(span => span.name === 'execute_tool slow')).toHaveLength(2)
  })

  it('a call whose stages are taken away while it runs', async () => {
    const telemetry = telemetryOf()
    const held = gate()
    const registry = createToolRegistry({ tools: [countedTool('work', () => held.promise)] })
    const registration = registry.use([telemetry.stages])
    const running = registry.execute({ callId: 'a', name: 'work' })
    await settle()
    registration()
    held.open()
    await running
    telemetry.settled()
    expect(telemetry.ended()).toHaveLength(1)
  })
})

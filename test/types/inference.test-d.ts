// What users write without a type annotation is typed.

import type {
  AdditionalContext,
  ApprovalRequest,
  AroundCall,
  BatchOptions,
  ContentBlock,
  JsonObject,
  JsonValue,
  PostToolDecision,
  PresentableResult,
  PreToolDecision,
  Registration,
  ToolCall,
  ToolContext,
  ToolDefinition,
  ToolExecutionResult,
  ToolFailureError,
  ToolgateEvents,
  ToolProgress,
  ToolRegistry,
  ToolScope,
  ValueSpec,
  Violation,
} from 'toolgate'
import {
  CallId,
  createToolRegistry,
  defineTool,
  jsonSchema,
  rememberApprovals,
  ScopeId,
  snapshotJson,
  validateArgs,
} from 'toolgate'
import { expectTypeOf } from 'vitest'
import * as z from 'zod'

// Every callback of a tool.
const search = defineTool({
  name: 'search',
  description: 'Finds lines',
  parameters: {
    query: { type: 'string', required: true },
    limit: { type: 'integer' },
  },
  output: {
    schema: { type: 'array', items: { type: 'string' } },
    render(args, value) {
      expectTypeOf(args).toEqualTypeOf<{ query: string; limit?: number }>()
      expectTypeOf(value).toEqualTypeOf<string[]>()
      return [{ type: 'text', text: value.join() }]
    },
    presentationMeta: (args, value) => ({ query: args.query, found: value.length }),
  },
  async execute(args, context) {
    expectTypeOf(args).toEqualTypeOf<{ query: string; limit?: number }>()
    expectTypeOf(context).toEqualTypeOf<ToolContext>()
    context.progress({ completed: 1, total: 2 })
    return [args.query]
  },
  finalizeContent(call, result) {
    expectTypeOf(call).toEqualTypeOf<ToolCall>()
    expectTypeOf(result).toEqualTypeOf<ToolExecutionResult>()
    return undefined
  },
  isConcurrencySafe: args => args.limit === undefined,
  resourceKeys: args => [args.query],
  presentCall: args => ({ card: 'generic', title: args.query, kind: 'search' }),
  presentResult(args, result) {
    expectTypeOf(args).toEqualTypeOf<{ query: string; limit?: number }>()
    expectTypeOf(result).toEqualTypeOf<PresentableResult>()
    return { card: 'search', shape: 'paths', paths: [args.query], truncated: false }
  },
})
expectTypeOf(search).toEqualTypeOf<ToolDefinition>()

// The three other ways to say what arguments are.
defineTool({
  name: 'zod',
  description: 'By zod',
  parameters: z.object({ at: z.iso.date().transform(text => new Date(text)) }),
  execute: args => (expectTypeOf(args).toEqualTypeOf<{ at: Date }>(), args.at.toISOString()),
})
defineTool({
  name: 'typed',
  description: 'By a type beside its JSON Schema',
  parameters: jsonSchema<{ id: 1 | 2 }>({ type: 'object' }),
  execute: args => (expectTypeOf(args).toEqualTypeOf<{ id: 1 | 2 }>(), `${args.id}`),
})
defineTool({
  name: 'raw',
  description: 'By JSON Schema',
  parameters: { type: 'object', properties: { id: { type: 'string', minLength: 1 } }, required: ['id'] },
  execute: args => (expectTypeOf(args).toEqualTypeOf<JsonObject>(), [{ type: 'text', text: 'done' }]),
})

// Literals stay what they are in what a body returns, at any depth and whether it waits or not.
const state = {
  type: 'object',
  additionalProperties: false,
  properties: {
    state: { type: 'string', enum: ['idle', 'busy'], required: true },
    parts: {
      type: 'array',
      items: { oneOf: [{ type: 'integer', const: 1 }, { type: 'null' }] },
      required: true,
    },
  },
} as const satisfies ValueSpec
defineTool({
  name: 'state',
  description: 'Tells its state',
  parameters: { part: { type: 'string' } },
  output: { schema: state, render: (_, value) => [{ type: 'text', text: value.state }] },
  execute: args => ({ state: args.part === undefined ? 'idle' : 'busy', parts: [1, null] }),
})
defineTool({
  name: 'later state',
  description: 'Tells its state later',
  parameters: { part: { type: 'string' } },
  output: { schema: z.object({ state: z.enum(['idle', 'busy']) }), render: () => [] },
  async execute(args) {
    return { state: args.part === undefined ? 'idle' : 'busy' }
  },
})
defineTool({
  name: 'blocks',
  description: 'Returns blocks',
  parameters: {},
  execute: async () => ({ content: [{ type: 'text', text: 'done' }], meta: { a: 1 } }),
})

// A body may be annotated, with less than its arguments are.
defineTool({
  name: 'annotated',
  description: 'Takes less',
  parameters: { path: { type: 'string', required: true }, limit: { type: 'integer' } },
  execute: (args: { readonly path: string }) => args.path,
})

// A tool that others build upon.
function readTool<const P extends { readonly path: { readonly type: 'string'; readonly required: true } }>(
  parameters: P,
): ToolDefinition {
  return defineTool({ name: 'read', description: 'Reads', parameters, execute: () => 'text' })
}
expectTypeOf(readTool({ path: { type: 'string', required: true } })).toEqualTypeOf<ToolDefinition>()

// Every option of a registry, the hooks of its stages among them.
const registry = createToolRegistry({
  tools: [search],
  stages: [
    {
      name: 'policy',
      async preExecute(call, next) {
        expectTypeOf(call).toEqualTypeOf<ToolCall>()
        expectTypeOf(call.arguments).toEqualTypeOf<JsonValue | undefined>()
        expectTypeOf(await next()).toEqualTypeOf<PreToolDecision>()
        return call.name === 'search' ? { kind: 'ask', reason: 'first time' } : { kind: 'allow' }
      },
      guard: call => (call.name.startsWith('rm') ? 'not here' : undefined),
      async execute(call, next) {
        expectTypeOf(call).toEqualTypeOf<AroundCall>()
        call.signal = AbortSignal.timeout(1)
        call.onProgress(progress => expectTypeOf(progress).toEqualTypeOf<ToolProgress>())
        const result = await next()
        expectTypeOf(result).toEqualTypeOf<ToolExecutionResult>()
        return result
      },
      async postExecute(call, result, next) {
        expectTypeOf(call).toEqualTypeOf<ToolCall>()
        expectTypeOf(result).toEqualTypeOf<ToolExecutionResult>()
        const decision = await next()
        expectTypeOf(decision).toEqualTypeOf<PostToolDecision>()
        if (decision.kind === 'block') {
          expectTypeOf(decision.feedback).toEqualTypeOf<readonly ContentBlock[]>()
          return decision
        }
        expectTypeOf(decision.additionalContexts).toEqualTypeOf<readonly AdditionalContext[] | undefined>()
        return { kind: 'accept', content: result.content }
      },
      onResult: (call, result) => {
        expectTypeOf(call).toEqualTypeOf<ToolCall>()
        expectTypeOf(result).toEqualTypeOf<ToolExecutionResult>()
      },
    },
    { preExecute: (_, next) => next() },
    { preExecute: () => ({ kind: 'deny', reason: 'no' }) },
    { postExecute: () => ({ kind: 'accept', value: { a: [1] } }) },
  ],
  approve: rememberApprovals(request => {
    expectTypeOf(request).toEqualTypeOf<ApprovalRequest>()
    return request.toolName === 'search' ? 'allowed-for-session' : { outcome: 'rejected', reason: 'no' }
  }),
  scopes: [
    {
      id: 'child',
      approve: async request => (request.reason === undefined ? 'allowed-once' : 'rejected'),
      restrict: { allow: ['search'] },
      stages: [{ guard: call => call.scope }],
      mode: 'native',
    },
    { id: 'grandchild', parent: 'child', restrict: { deny: ['search'] }, grants: ['search'] },
  ],
  describeError(error, call) {
    expectTypeOf(error).toEqualTypeOf<unknown>()
    expectTypeOf(call).toEqualTypeOf<ToolCall>()
    return 'failed'
  },
  codeRuntime: async () => ({
    run: async ({ program, namespaces, signal }) => {
      expectTypeOf(program).toEqualTypeOf<string>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal | undefined>()
      return { logs: namespaces.map(() => ''), value: null }
    },
  }),
  codeMode: { sdk: 'auto', maxParallelSubCalls: 2 },
  limits: { maxDepth: 3 },
})
expectTypeOf(registry).toEqualTypeOf<ToolRegistry>()

// An approver may stand alone, and one that remembers is one.
createToolRegistry({
  approve: request => (request.signal.aborted ? 'cancelled' : { outcome: 'unavailable' }),
})
rememberApprovals(async () => ({ outcome: 'rejected-for-session', reason: 'not today' }), { maxEntries: 5 })
rememberApprovals(() => 'allowed-once').forget({ toolName: 'search' })

// Guards and stages that come later.
expectTypeOf(registry.guard(call => (call.callId === '1' ? 'no' : undefined))).toEqualTypeOf<Registration>()
registry.use([{ onResult: (_, result) => void result.content }])
registry.use({ preExecute: call => ({ kind: 'deny', reason: call.name }) })

// Every event, by each of the three ways to hear it.
registry.on('result', event => expectTypeOf(event).toEqualTypeOf<ToolgateEvents['result']>())
registry.on('change', event => expectTypeOf(event.kind).toEqualTypeOf<ToolgateEvents['change']['kind']>())
registry.on('approval:asked', event => expectTypeOf(event.request).toEqualTypeOf<ApprovalRequest>())
registry.on('approval:decided', event => expectTypeOf(event.reason).toEqualTypeOf<string | undefined>())
registry.once('subcall:start', event => expectTypeOf(event.arguments).toEqualTypeOf<JsonValue>())
registry.once('subcall:end', event => expectTypeOf(event.result).toEqualTypeOf<ToolExecutionResult>())
registry.once('progress', event => expectTypeOf(event.completed).toEqualTypeOf<number | undefined>())
registry.off('log', event => expectTypeOf(event.text).toEqualTypeOf<string>())
registry.off('late-settlement', event => expectTypeOf(event.outcome).toEqualTypeOf<'returned' | 'threw'>())
registry.off('observer-error', event => expectTypeOf(event.error).toEqualTypeOf<unknown>())

// Ids are branded where they come out, and plain strings where they go in.
const result = await registry.execute({ callId: 'a', name: 'search', scope: 'child', rootCallId: 'b' })
expectTypeOf(result.callId).toEqualTypeOf<CallId>()
expectTypeOf(registry.id).toEqualTypeOf<ScopeId>()
expectTypeOf(registry.scope('child')).toEqualTypeOf<ToolScope>()
expectTypeOf(registry.scope(ScopeId('child')).createScope({ id: 'later' }).id).toEqualTypeOf<ScopeId>()
await registry.execute({ callId: CallId('a'), name: 'search', scope: ScopeId('child') })
await registry.execute({ callId: result.callId, name: 'search', scope: registry.id })
expectTypeOf<CallId>().toExtend<string>()
expectTypeOf<ScopeId>().not.toExtend<CallId>()
expectTypeOf<string>().not.toExtend<CallId>()

// Batches.
const batch: BatchOptions = { maxParallel: 2, signal: AbortSignal.timeout(1) }
expectTypeOf(await registry.executeAll([{ callId: 'a', name: 'search' }], batch)).toEqualTypeOf<
  ToolExecutionResult[]
>()
for await (const each of registry.executeEach([{ callId: 'a', name: 'search' }]))
  expectTypeOf(each).toEqualTypeOf<ToolExecutionResult>()

// `isError` tells a value from an error.
if (result.isError) {
  expectTypeOf(result.error).toEqualTypeOf<ToolFailureError>()
  // @ts-expect-error: a failure has no value
  result.value
} else {
  expectTypeOf(result.value).toEqualTypeOf<JsonValue>()
  expectTypeOf(result.concludesTurn).toEqualTypeOf<true | undefined>()
  // @ts-expect-error: a success has no error
  result.error
}
// @ts-expect-error: whether there is a value is not known yet
result.value

// Values that were checked.
expectTypeOf(validateArgs({ a: { type: 'string', required: true } }, {})).toEqualTypeOf<Violation[]>()
expectTypeOf(snapshotJson({ a: 1 } as unknown)).toEqualTypeOf<JsonValue>()

// What users get wrong does not compile, and is refused where it stands.
import { type ContentBlock, createToolRegistry, defineTool, rememberApprovals, type Stages } from 'toolgate'

const text: readonly ContentBlock[] = [{ type: 'text', text: 'text' }]
const registry = createToolRegistry()

// Decisions before a call.
registry.use([
  // @ts-expect-error: misspelt
  { preExecute: () => ({ kind: 'alow' }) },
  // @ts-expect-error: a denial has a reason
  { preExecute: () => ({ kind: 'deny' }) },
  // @ts-expect-error: a reason is text
  { preExecute: () => ({ kind: 'deny', reason: new Error('no') }) },
  // @ts-expect-error: a decision is an object
  { preExecute: () => 'allow' },
  // @ts-expect-error: a decision is no boolean
  { preExecute: () => true },
  // @ts-expect-error: a stage that lets a call through says so
  { preExecute() {} },
  // @ts-expect-error: a stage that lets a call through says so, later too
  { async preExecute() {} },
  // @ts-expect-error: the decision of `next()` is a promise
  { preExecute: (_, next) => ((decision: { kind: 'allow' }) => decision)(next()) },
  // @ts-expect-error: there is no such decision before a call
  { preExecute: () => ({ kind: 'accept' }) },
])

// Decisions on a result.
registry.use([
  // @ts-expect-error: misspelt
  { postExecute: () => ({ kind: 'acept' }) },
  // @ts-expect-error: a block gives feedback
  { postExecute: () => ({ kind: 'block' }) },
  // @ts-expect-error: feedback is content
  { postExecute: () => ({ kind: 'block', feedback: 'no' }) },
  // @ts-expect-error: either content or a value
  { postExecute: () => ({ kind: 'accept', content: text, value: 1 }) },
  // @ts-expect-error: a value is JSON
  { postExecute: () => ({ kind: 'accept', value: new Date() }) },
  // @ts-expect-error: content is blocks
  { postExecute: () => ({ kind: 'accept', content: [{ type: 'txt', text: 'text' }] }) },
  // @ts-expect-error: a context says who adds it
  { postExecute: () => ({ kind: 'accept', additionalContexts: [{ content: text }] }) },
  // @ts-expect-error: a result is no decision
  { postExecute: (_, result) => result },
  // @ts-expect-error: a stage that accepts says so
  { postExecute() {} },
])

// Guards.
// @ts-expect-error: a guard answers at once
registry.guard(async () => undefined)
// @ts-expect-error: a guard answers a reason
registry.guard(() => true)
// @ts-expect-error: a guard answers a reason
registry.guard(() => false)
// @ts-expect-error: `null` is no answer
registry.guard(() => null)
// @ts-expect-error: a guard does not decide
registry.guard(() => ({ kind: 'deny', reason: 'no' }))
// @ts-expect-error: the guard of a stage answers at once
registry.use({ guard: async call => call.name })
// @ts-expect-error: the guard of a stage answers a reason
registry.use({ guard: call => call.name === 'rm' })

// Stages around the body.
// @ts-expect-error: the result is returned
registry.use({ execute() {} })
registry.use({
  // @ts-expect-error: the result is returned, not only waited for
  async execute(_, next) {
    await next()
  },
})
// @ts-expect-error: a value is no result
registry.use({ execute: async () => ({ value: 1 }) })
registry.use({
  execute: (call, next) => {
    // @ts-expect-error: only the signal can be replaced
    call.name = 'other'
    return next()
  },
})
registry.use({
  preExecute: (call, next) => {
    // @ts-expect-error: arguments cannot be rewritten
    call.arguments = {}
    // @ts-expect-error: only a stage around the body replaces the signal
    call.signal = AbortSignal.timeout(1)
    return next()
  },
})
// @ts-expect-error: misspelt
registry.use({ preExcute: () => ({ kind: 'allow' }) })
// @ts-expect-error: misspelt beside a good one
registry.use([{ guard: () => undefined, onResults() {} }])
// @ts-expect-error: a hook is a function
const stages: Stages = { preExecute: { kind: 'allow' } }
void stages

// Approvers.
// @ts-expect-error: no such outcome
createToolRegistry({ approve: () => 'allowed' })
// @ts-expect-error: a boolean is no outcome
createToolRegistry({ approve: async () => true })
// @ts-expect-error: an approver answers
createToolRegistry({ approve() {} })
// @ts-expect-error: a reason does not stand alone
createToolRegistry({ approve: () => ({ reason: 'no' }) })
// @ts-expect-error: a plain approver cannot answer for the session
createToolRegistry({ approve: () => 'allowed-for-session' })
// @ts-expect-error: a plain approver cannot answer for the session
createToolRegistry({ scopes: [{ id: 'a', approve: async () => ({ outcome: 'rejected-for-session' }) }] })
// @ts-expect-error: no such outcome
rememberApprovals(() => 'allowed-always')
// @ts-expect-error: no such option
rememberApprovals(() => 'rejected', { max: 3 })
createToolRegistry({
  approve: request => {
    // @ts-expect-error: what is approved is what runs
    request.arguments = {}
    return 'allowed-once'
  },
})

// Options.
// @ts-expect-error: misspelt
createToolRegistry({ tool: [] })
// @ts-expect-error: misspelt
createToolRegistry({ maxParalelCalls: 3 })
// @ts-expect-error: no such mode
createToolRegistry({ mode: 'sdk' })
// @ts-expect-error: no such limit
createToolRegistry({ limits: { maxBytes: 3 } })
// @ts-expect-error: a scope has an id
createToolRegistry({ scopes: [{ tools: [] }] })
// @ts-expect-error: no such option of a scope
createToolRegistry({ scopes: [{ id: 'a', deny: ['b'] }] })
// @ts-expect-error: no such mode
createToolRegistry({ scopes: [{ id: 'a', mode: 'Code' }] })
// @ts-expect-error: a runtime runs programs
createToolRegistry({ codeRuntime: {} })
// @ts-expect-error: no such option of Code Mode
createToolRegistry({ codeMode: { budget: 3 } })
// @ts-expect-error: no such detail
createToolRegistry({ codeMode: { sdk: 'names' } })
// @ts-expect-error: what the model may see is text
createToolRegistry({ describeError: () => undefined })
// @ts-expect-error: a child made at run time has its parent already
registry.createScope({ id: 'a', parent: 'b' })
// @ts-expect-error: an id is needed
registry.createScope({})
// @ts-expect-error: no such mode
registry.presentAs('Native')
// @ts-expect-error: no such mask
registry.restrict({ only: ['a'] })
// @ts-expect-error: names, not a name
registry.restrict({ deny: 'a' })

// Events.
// @ts-expect-error: no such event
registry.on('results', () => {})
// @ts-expect-error: no such event
registry.once('approval', () => {})
// @ts-expect-error: no such event
registry.off('error', () => {})
// @ts-expect-error: there is no such field
registry.on('result', event => event.value)
// @ts-expect-error: the event of another name
registry.on('progress', (event: { readonly outcome: string }) => event.outcome)
registry.on('change', event => {
  // @ts-expect-error: there is no such change
  if (event.kind === 'added') return
})

// Calls.
// @ts-expect-error: a call has a name
registry.execute({ callId: '1' })
// @ts-expect-error: misspelt
registry.execute({ callId: '1', name: 'a', args: {} })
// @ts-expect-error: a parent is the token of a call, not its id
registry.execute({ callId: '1', name: 'a', parent: '0' })
// @ts-expect-error: a batch is a list
registry.executeAll({ callId: '1', name: 'a' })
// @ts-expect-error: no such option of a batch
registry.executeAll([], { parallel: 3 })

// Tools.
const named = { name: 'a', description: 'A tool', parameters: { a: { type: 'string' } } } as const
defineTool({ ...named, execute: () => '' })
// @ts-expect-error: a tool has a body
defineTool({ ...named })
// @ts-expect-error: a tool says what it does
defineTool({ name: 'a', parameters: {}, execute: () => '' })
// @ts-expect-error: a tool has parameters
defineTool({ name: 'a', description: 'A tool', execute: () => '' })
// @ts-expect-error: without an output schema the body returns content
defineTool({ ...named, execute: () => 5 })
// @ts-expect-error: blocks have a type that is known
defineTool({ ...named, execute: () => [{ type: 'txt', text: '' }] })
// @ts-expect-error: no such field
defineTool({ ...named, execute: () => '', timeout: 5 })
// @ts-expect-error: misspelt
defineTool({ ...named, execute: () => '', isConcurencySafe: () => true })
// @ts-expect-error: no such hint
defineTool({ ...named, execute: () => '', annotations: { readOnly: true } })
// @ts-expect-error: no such argument
defineTool({ ...named, execute: args => args.b })
// @ts-expect-error: an argument that may be missing
defineTool({ ...named, execute: args => args.a.trim() })
// @ts-expect-error: the body asks for what is not declared
defineTool({ ...named, execute: (args: { readonly a?: string; readonly b: string }) => args.b })
// @ts-expect-error: the body asks for what may be missing
defineTool({ ...named, execute: (args: { readonly a: string }) => args.a })
// @ts-expect-error: the arguments are those of this tool
defineTool({ ...named, resourceKeys: (args: { readonly path: string }) => [args.path], execute: () => '' })
// @ts-expect-error: keys are a list
defineTool({ ...named, resourceKeys: args => args.a, execute: () => '' })
// @ts-expect-error: a card says which it is
defineTool({ ...named, presentCall: () => ({ title: 'A' }), execute: () => '' })

// Outputs.
const number = { schema: { type: 'number' }, render: () => text } as const
defineTool({ ...named, output: number, execute: () => 5 })
// @ts-expect-error: the body does not return a number
defineTool({ ...named, output: number, execute: () => '5' })
// @ts-expect-error: the body does not return a number, later
defineTool({ ...named, output: number, execute: async () => '5' })
// @ts-expect-error: the body does not return anything
defineTool({ ...named, output: number, execute() {} })
defineTool({
  ...named,
  output: { schema: { type: 'string', enum: ['a'] }, render: () => text },
  // @ts-expect-error: no such value
  execute: _ => 'b',
})
defineTool({
  ...named,
  // @ts-expect-error: what is rendered is a number
  output: { ...number, render: (_, value) => [{ type: 'text', text: value }] },
  execute: () => 5,
})
defineTool({
  ...named,
  // @ts-expect-error: the value is a number
  output: { ...number, render: (_, value: string) => [{ type: 'text', text: value }] },
  execute: () => 5,
})
// @ts-expect-error: what the model sees is blocks
defineTool({ ...named, output: { ...number, render: (_, value) => `${value}` }, execute: () => 5 })
// @ts-expect-error: an output is rendered
defineTool({ ...named, output: { schema: { type: 'number' } }, execute: () => 5 })
// @ts-expect-error: no such type
defineTool({ ...named, output: { schema: { type: 'numbr' }, render: () => text }, execute: () => 5 })
// @ts-expect-error: an object says whether it is open
defineTool({ ...named, output: { schema: { type: 'object' }, render: () => text }, execute: () => ({}) })

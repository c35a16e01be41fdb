import fc from 'fast-check'
import {
  createToolRegistry,
  rememberApprovals,
  type SessionOutcome,
  type ToolExecutionResult,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'
import { askAlways, human, type Question } from './support.js'

const TOOLS = ['write', 'send']
const SCOPES = ['a', 'b']
const CALLERS: readonly unknown[] = [undefined, 'ada', { name: 'ada' }, { name: 'ada' }]
/** Arguments, and the class of those that are equal to them. */
const ARGUMENTS: readonly (readonly [kind: number, value: unknown])[] = [
  [0, { a: 1, b: { c: [1, 2], d: 'x' } }],
  [0, '{ "b": { "d": "x", "c": [1.0, 2] }, "a": 1 }'],
  [1, { a: 1, b: { c: [2, 1], d: 'x' } }],
  [2, {}],
  [2, undefined],
  [3, { text: '\ud800' }],
  [4, { text: '\udfff' }],
  [5, { text: '\ufffd' }],
  [6, JSON.parse('{ "__proto__": { "a": 1 } }')],
]
const OUTCOMES: readonly SessionOutcome[] = [
  'allowed-once',
  'allowed-for-session',
  'rejected',
  'rejected-for-session',
  'cancelled',
  'unavailable',
]

const index = (list: readonly unknown[]) => fc.nat(list.length - 1)
const filter = fc.record(
  { toolName: fc.constantFrom(...TOOLS), scope: fc.constantFrom(...SCOPES), caller: index(CALLERS) },
  { requiredKeys: [] },
)
const step = fc.oneof(
  // Mostly the same few calls, so that answers meet those they could serve.
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      tool: fc.constantFrom(0, 0, 0, 0, 0, 1),
      scope: fc.constantFrom(0, 0, 0, 0, 0, 1),
      caller: fc.constantFrom(0, 0, 1, 2, 2, 3),
      args: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(0, 1) },
        { weight: 1, arbitrary: index(ARGUMENTS) },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(),
      outcome: fc.constantFrom(...OUTCOMES, 'allowed-for-session' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('throw' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), filter }) },
)
const steps = fc.array(fc.tuple(step, fc.constantFrom(true, true, false)), {
  minLength: 10,
  maxLength: 60,
  size: 'max',
})

interface Call {
  readonly id: string
  readonly key: string
  readonly about: { readonly toolName: string; readonly scope: string; readonly caller: number }
  readonly controller: AbortController
  readonly ended: Promise<void>
  result: ToolExecutionResult | undefined
  /** A human said yes to this very call. */
  granted: boolean
  /** An equal call had been granted for the session when this one began, for sure. */
  expectsMemory: boolean
  asked: boolean
}

/** A yes for the session; `sure` once the call that it was given to has run on it. */
interface Grant {
  readonly call: Call
  sure: boolean
}

/** Lets digests that were begun end, most likely. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await crypto.subtle.digest('SHA-256', new Uint8Array(100))
    await settle()
  }
}

const seen = { served: 0, refused: 0, waited: 0, forgotten: 0, aborted: 0 }

async function play(
  script: readonly (readonly [step: typeof step extends fc.Arbitrary<infer S> ? S : never, pause: boolean])[],
): Promise<void> {
  const calls = new Map<string, Call>()
  const grants: Grant[] = []
  const open: Question[] = []
  // What is thrown in a body or an approver is the pipeline's, so it is said here.
  const violations: string[] = []
  const forgottenWhileOpen = new Set<Question>()
  const { approver, next } = human()
  const approve = rememberApprovals(async request => {
    const call = calls.get(request.callId) as Call
    call.asked = true
    if (call.expectsMemory) violations.push(`${call.id} was asked about again`)
    const answer = approver(request)
    open.push(await next())
    return answer
  })
  const body = (_args: unknown, { callId }: { callId: string }): string => {
    const call = calls.get(callId) as Call
    const served = !call.granted && grants.some(grant => grant.call.key === call.key)
    if (!call.granted && !served) violations.push(`${callId} ran without a yes`)
    if (served) seen.served++
    return 'done'
  }
  const tools = TOOLS.map(name => countedTool(name, body))
  const registry = createToolRegistry({
    tools,
    stages: [askAlways],
    approve,
    scopes: SCOPES.map(id => ({ id })),
  })

  const begin = (tool: number, scope: number, caller: number, args: number): void => {
    const [kind, value] = ARGUMENTS[args] as readonly [number, unknown]
    const about = { toolName: TOOLS[tool] as string, scope: SCOPES[scope] as string, caller }
    const key = JSON.stringify([about, kind])
    const id = `call-${calls.size}`
    const controller = new AbortController()
    if ([...calls.values()].some(other => other.key === key && other.result === undefined)) seen.waited++
    const ended = Promise.resolve().then(async () => {
      call.result = await registry.execute({
        callId: id,
        name: about.toolName,
        scope: about.scope,
        caller: CALLERS[caller],
        arguments: value,
        signal: controller.signal,
      })
      if (!call.result.isError) for (const grant of grants) if (grant.call === call) grant.sure = true
      if (call.result.isError && !call.asked && !controller.signal.aborted) seen.refused++
    })
    const expectsMemory = grants.some(grant => grant.sure && grant.call.key === key)
    const call: Call = {
      id,
      key,
      about,
      controller,
      ended,
      result: undefined,
      granted: false,
      expectsMemory,
      asked: false,
    }
    calls.set(id, call)
  }

  const answer = (question: Question, outcome: SessionOutcome): void => {
    open.splice(open.indexOf(question), 1)
    const call = calls.get(question.callId) as Call
    const heard = !call.controller.signal.aborted
    if (heard && outcome.startsWith('allowed')) call.granted = true
    if (heard && outcome === 'allowed-for-session' && !forgottenWhileOpen.has(question))
      grants.push({ call, sure: false })
    question.open(outcome)
  }

  const forget = (which: { toolName?: string; scope?: string; caller?: number }): void => {
    const matches = ({ about }: Call): boolean =>
      (which.toolName === undefined || which.toolName === about.toolName) &&
      (which.scope === undefined || which.scope === about.scope) &&
      // A caller that is `undefined` is no filter.
      (which.caller === undefined || CALLERS[which.caller] === undefined || which.caller === about.caller)
    const { caller, ...rest } = which
    approve.forget({ ...rest, ...(caller !== undefined && { caller: CALLERS[caller] }) })
    for (const question of open)
      if (matches(calls.get(question.callId) as Call)) forgottenWhileOpen.add(question)
    for (const grant of [...grants]) {
      if (!matches(grant.call)) continue
      grants.splice(grants.indexOf(grant), 1)
      seen.forgotten++
    }
    for (const call of calls.values()) if (call.result === undefined) call.expectsMemory = false
  }

  for (const [{ ...move }, pause] of script) {
    if (move.do === 'call') begin(move.tool, move.scope, move.caller, move.args)
    else if (move.do === 'forget') forget(move.filter)
    else if (move.do === 'abort') {
      const running = [...calls.values()].filter(call => call.result === undefined)
      running[move.which % running.length]?.controller.abort()
      if (running.length > 0) seen.aborted++
    } else {
      const question = open[move.which % open.length]
      if (question === undefined) continue
      if (move.do === 'answer') answer(question, move.outcome)
      else {
        open.splice(open.indexOf(question), 1)
        question.fail(new Error('the dialog broke'))
      }
    }
    if (pause) await quiet()
  }

  // Whatever is still asked is refused, so that nobody may be left waiting.
  const all = Promise.all([...calls.values()].map(call => call.ended)).then(() => 'all' as const)
  while ((await Promise.race([all, settle()])) !== 'all')
    for (const question of [...open]) answer(question, 'rejected')
  expect(violations).toEqual([])
  const ran = [...calls.values()].filter(call => call.result?.isError === false).length
  expect(tools.reduce((sum, tool) => sum + tool.runs(), 0)).toBe(ran)
}

describe('whatever the order of asks, answers, aborts and forgetting', () => {
  it('a body runs only on a yes to that very call, or one for the session to an equal call of the same caller', async () => {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: 400 })
    // Each of these was there to be seen.
    for (const [what, times] of Object.entries(seen))
      expect({ what, often: times > 50 }).toEqual({ what, often: true })
  })
})

/**
 * Which parts of the pipeline a call meets, by how it ends. The lines are in docs/behaviours/registry-and-scopes.md. Decided
 * otherwise:
 * - PIPE-14 an approver that throws is an answer, `APPROVAL_UNAVAILABLE`, which post-execute stages see like every other.
 * - PIPE-18 a finaliser that throws makes a failure of a success; a failure says more, and stands.
 * - PIPE-23 nothing about the input makes `execute` reject: what cannot be read ends as `INVALID_CALL`.
 */
import { createToolRegistry, type Stages, type ToolExecutionInput, type ToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } } }
const text = (value: string) => [{ type: 'text' as const, text: value }]
const fail = (): never => {
  throw new Error('boom')
}
const throwing = (key: string) => Object.defineProperty({ callId: '1', name: 't' }, key, { get: fail })

interface Outcome {
  readonly what: string
  /** Inside the recording stage. */
  readonly stage?: Stages
  readonly body?: () => unknown
  readonly approve?: () => never
  readonly input?: unknown
  readonly mode?: 'code'
  /** The code, or `ok`. */
  readonly code: string
  /** What the call met of: `pre`, `around`, `body`, `post`, `finalize`; the notification comes always and once. */
  readonly met: readonly string[]
}

const EVERYTHING = ['pre', 'around', 'body', 'post', 'finalize']
const DENIED = ['pre', 'post', 'finalize']
const BROKEN = ['pre', 'finalize']
const REFUSED = ['finalize']
const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }

const OUTCOMES: readonly Outcome[] = [
  { what: 'a success', code: 'ok', met: EVERYTHING },
  { what: 'a body that throws', body: fail, code: 'TOOL_FAILED', met: EVERYTHING },
  {
    what: 'a body that returns what it may not',
    body: () => 7,
    code: 'INVALID_TOOL_OUTPUT',
    met: EVERYTHING,
  },
  {
    what: 'arguments that do not fit',
    input: { callId: '1', name: 't', arguments: { n: 'text' } },
    code: 'INVALID_ARGS',
    met: ['pre', 'around', 'post', 'finalize'],
  },
  {
    what: 'an unknown tool',
    input: { callId: '1', name: 'ghost' },
    code: 'UNKNOWN_TOOL',
    met: ['pre', 'around', 'post'],
  },
  {
    what: 'a denial by policy',
    stage: { preExecute: () => ({ kind: 'deny', reason: 'no' }) },
    code: 'DENIED',
    met: DENIED,
  },
  { what: 'a denial by a guard', stage: { guard: () => 'no' }, code: 'GUARD_DENIED', met: DENIED },
  {
    what: 'a refused approval',
    stage: ask,
    approve: () => 'rejected' as never,
    code: 'APPROVAL_REJECTED',
    met: DENIED,
  },
  {
    what: 'a withdrawn approval',
    stage: ask,
    approve: () => 'cancelled' as never,
    code: 'APPROVAL_CANCELLED',
    met: DENIED,
  },
  { what: 'nobody to ask', stage: ask, code: 'APPROVAL_UNAVAILABLE', met: DENIED },
  { what: 'an approver that throws', stage: ask, approve: fail, code: 'APPROVAL_UNAVAILABLE', met: DENIED },
  {
    what: 'a blocked result',
    stage: { postExecute: () => ({ kind: 'block', feedback: text('no') }) },
    code: 'BLOCKED',
    met: EVERYTHING,
  },
  {
    what: 'arguments that are no JSON',
    input: { callId: '1', name: 't', arguments: '{' },
    code: 'ARGUMENTS_NOT_JSON',
    met: REFUSED,
  },
  {
    what: 'a caller that had aborted',
    input: { callId: '1', name: 't', signal: AbortSignal.abort() },
    code: 'ABORTED_BEFORE_DISPATCH',
    met: REFUSED,
  },
  {
    what: 'a parent that does not run',
    input: { callId: '1', name: 't', parent: {} },
    code: 'INVALID_PARENT',
    met: REFUSED,
  },
  { what: 'a tool behind run_code', mode: 'code', code: 'UNKNOWN_TOOL', met: [] },
  { what: 'an unknown scope', input: { callId: '1', name: 't', scope: 'x' }, code: 'UNKNOWN_SCOPE', met: [] },
  { what: 'no call at all', input: null, code: 'INVALID_CALL', met: [] },
  { what: 'policy that throws', stage: { preExecute: fail }, code: 'STAGE_FAILED', met: BROKEN },
  {
    what: 'policy without an answer',
    stage: { preExecute: () => undefined as never },
    code: 'INVALID_DECISION',
    met: BROKEN,
  },
  { what: 'a guard that throws', stage: { guard: fail }, code: 'STAGE_FAILED', met: BROKEN },
  {
    what: 'a wrapper that throws before the body',
    stage: { execute: fail },
    code: 'STAGE_FAILED',
    met: ['pre', 'around', 'finalize'],
  },
  {
    what: 'a wrapper that throws after the body',
    stage: { execute: (_call, next) => next().then(fail) },
    code: 'STAGE_FAILED',
    met: ['pre', 'around', 'body', 'finalize'],
  },
  {
    what: 'a wrapper without a result',
    stage: { execute: async () => undefined as never },
    code: 'INVALID_DECISION',
    met: ['pre', 'around', 'finalize'],
  },
  {
    what: 'a post-execute stage that throws',
    stage: { postExecute: fail },
    code: 'STAGE_FAILED',
    met: EVERYTHING,
  },
]

async function meet({ stage = {}, body, approve, input, mode }: Outcome, fresh: object = {}) {
  const met: string[] = []
  const notified: unknown[] = []
  const recorder: Stages = {
    preExecute: (_call, next) => (met.push('pre'), next()),
    execute: (_call, next) => (met.push('around'), next()),
    postExecute: (_call, _result, next) => (met.push('post'), next()),
    onResult: (_call, result) => notified.push(result),
  }
  const run = () => (met.push('body'), body === undefined ? 'done' : body())
  const tool = countedTool('t', run, {
    parameters: SCHEMA,
    validateArguments: true,
    finalizeContent: () => (met.push('finalize'), undefined),
    ...fresh,
  })
  const registry = createToolRegistry({
    tools: [tool],
    stages: Object.keys(stage).length > 0 ? [recorder, stage] : [recorder],
    ...(approve && { approve }),
    ...(mode && { mode, codeRuntime: { run: async () => ({ logs: [] }) } }),
  })
  registry.on('result', ({ result }) => notified.push(result))
  const given = input === undefined ? { callId: '1', name: 't' } : input
  const result = await registry.execute(given as ToolExecutionInput)
  return { result, met, notified, code: result.isError ? result.error.code : 'ok' }
}

const rows = OUTCOMES.map(outcome => [outcome.what, outcome] as const)

describe('a call', () => {
  it.each(rows)(
    'that ends with %s gives a result, having met what it should, its last word and its observers once (PIPE-13, PIPE-14, PIPE-15, PIPE-16, PIPE-21, PIPE-22)',
    async (_what, outcome) => {
      const { result, met, notified, code } = await meet(outcome)
      expect(code).toBe(outcome.code)
      expect(met).toEqual(outcome.met)
      expect(notified).toEqual([result, result])
      expect(notified.every(seen => seen === result)).toBe(true)
      expect(isDeepFrozen(result)).toBe(true)
    },
  )

  it.each(rows.filter(([, { met }]) => met.includes('finalize')))(
    'that ends with %s may have other content by its tool’s last word, and nothing else (PIPE-16)',
    async (_what, outcome) => {
      const { result, code } = await meet(outcome, { finalizeContent: () => text('last word') })
      expect(code).toBe(outcome.code)
      expect(result.content).toEqual(text('last word'))
      const { result: plain } = await meet(outcome)
      const { content: _content, ...rest } = plain
      expect(result).toMatchObject(rest)
    },
  )

  it.each(rows.filter(([, { met }]) => met.includes('finalize')))(
    'that ends with %s survives a last word that throws, which is not asked for again (PIPE-18)',
    async (_what, outcome) => {
      let runs = 0
      const finalizeContent = () => {
        runs++
        throw new Error('no last word')
      }
      const { result, code, notified } = await meet(outcome, { finalizeContent })
      expect([runs, notified.length]).toEqual([1, 2])
      if (outcome.code !== 'ok') return expect(code).toBe(outcome.code)
      expect(code).toBe('TOOL_FAILED')
      expect(JSON.stringify(result)).toContain('no last word')
    },
  )

  it.each([
    ['undefined', undefined],
    ['a text', 't'],
    ['a number', 5],
    ['a list', []],
    ['an accessor of callId that throws', throwing('callId')],
    ['an accessor of name that throws', throwing('name')],
    ['an accessor of arguments that throws', throwing('arguments')],
    ['an accessor of signal that throws', throwing('signal')],
    ['an accessor of scope that throws', throwing('scope')],
    ['an accessor of caller that throws', throwing('caller')],
    ['an accessor of parent that throws', throwing('parent')],
    ['an accessor of rootCallId that throws', throwing('rootCallId')],
    ['a proxy that answers nothing', new Proxy({}, { get: fail, has: fail, ownKeys: fail })],
    ['a signal that is none', { callId: '1', name: 't', signal: {} }],
  ])('given as %s is INVALID_CALL, and needs no signal (PIPE-23)', async (_what, input) => {
    const tool = countedTool('t')
    const registry: ToolRegistry = createToolRegistry({ tools: [tool] })
    let notified = 0
    registry.on('result', () => notified++)
    const one = await registry.execute(input as never)
    const [inBatch] = await registry.executeAll([input as never])
    for (const result of [one, inBatch])
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_CALL' } })
    expect([tool.runs(), notified]).toEqual([0, 2])
    expect(await registry.execute({ callId: '1', name: 't' })).toMatchObject({ isError: false })
  })
})

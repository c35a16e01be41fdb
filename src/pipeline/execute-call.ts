import { failed } from '../tools/results.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { runAround } from './around.js'
import { askApproval } from './ask-approval.js'
import type { CallScope, CallState, Draft, PipelineHost } from './call-state.js'
import { ALLOW } from './decisions.js'
import { dispatch, unknownTool } from './dispatch.js'
import { abortedBeforeDispatch } from './failures.js'
import { cancelled, finalizeContent, notify } from './finalize.js'
import { runGuards } from './guards.js'
import { isPending, type Pending } from './pending.js'
import { postExecute } from './post-execute.js'
import { preExecute } from './pre-execute.js'
import { type BatchTerms, type Prepared, prepare } from './prepare.js'
import { type ReadInput, readInput } from './read-input.js'
import type { PreToolDecision } from './stages.js'

/** One call, from what the caller handed in to its one frozen result. Never rejects. */
export async function executeCall(
  host: PipelineHost,
  from: CallScope,
  input: unknown,
): Promise<ToolExecutionResult> {
  const { state, refusal } = prepare(host, from, readInput(input, host.argumentLimits))
  // The caller has its promise before anybody else's code runs: no stage or body runs inside the caller's own.
  await undefined
  const decided = refusal ?? decide(state)
  const denial = isPending(decided) ? await decided : decided
  const dispatched = denial ?? dispatchCall(state)
  const draft = isPending(dispatched) ? await dispatched : dispatched
  return closeCall(state, draft)
}

/** Step one, policy: prepare, pre-execute stages, guards, approval if it is asked for, guards again. */
export async function openCall(
  host: PipelineHost,
  from: CallScope,
  input: ReadInput,
  batch?: BatchTerms,
): Promise<Prepared> {
  const { state, refusal } = prepare(host, from, input, batch)
  return { state, refusal: refusal ?? (await decide(state)) }
}

function decide(state: CallState): Pending<Draft | undefined> {
  if (state.policy.preExecute.length === 0) return heed(state, ALLOW)
  return preExecute(state).then(decision => heed(state, decision))
}

function heed(state: CallState, decision: PreToolDecision | Draft): Pending<Draft | undefined> {
  if ('result' in decision) return decision
  if (decision.kind === 'deny') return { result: failed(state.call, 'DENIED', decision.reason), final: false }
  const denied = runGuards(state)
  if (denied !== undefined) return denied
  if (decision.kind === 'ask') return ask(state, decision.reason)
  return state.lifetime.aborted ? abortedBeforeDispatch(state) : undefined
}

async function ask(state: CallState, reason: string | undefined): Promise<Draft | undefined> {
  // Nobody is bothered with a call that cannot run.
  if (state.scope.resolve(state.call.name) === undefined) return { result: unknownTool(state), final: false }
  const refused = (await askApproval(state, reason)) ?? runGuards(state)
  return refused ?? (state.lifetime.aborted ? abortedBeforeDispatch(state) : undefined)
}

/** Step two, the body: around stages with dispatch inside them. What bodies deferred joins the result. */
export function dispatchCall(state: CallState): Pending<Draft> {
  if (state.policy.around.length > 0) return runAround(state).then(draft => withDeferred(state, draft))
  const result = dispatch(state, state.lifetime)
  return isPending(result)
    ? result.then(made => withDeferred(state, { result: made, final: false }))
    : withDeferred(state, { result, final: false })
}

function withDeferred({ contexts, concludesTurn }: CallState, draft: Draft): Draft {
  const { result, final } = draft
  const concludes = concludesTurn && !result.isError
  if (contexts.length === 0 && !concludes) return draft
  const all = Object.freeze([...contexts, ...(result.additionalContexts ?? [])])
  const added = all.length > 0 ? { additionalContexts: all } : {}
  const concluding = concludes ? ({ concludesTurn: true } as const) : {}
  return { result: Object.freeze({ ...result, ...added, ...concluding }) as ToolExecutionResult, final }
}

/** Step three: post-execute stages, cancellation, the tool's own last word, observers. */
export function closeCall(state: CallState, { result, final }: Draft): Pending<ToolExecutionResult> {
  if (final || state.policy.postExecute.length === 0) return finish(state, result)
  return postExecute(state, result).then(judged => finish(state, judged))
}

function finish(state: CallState, judged: ToolExecutionResult): Pending<ToolExecutionResult> {
  const result = finalizeContent(state, cancelled(state, judged))
  return isPending(result) ? result.then(last => notify(state, last)) : notify(state, result)
}

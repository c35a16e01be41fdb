import { failed } from '../tools/results.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { runAround } from './around.js'
import { askApproval } from './ask-approval.js'
import { type CallScope, type CallState, type Draft, Final, type PipelineHost } from './call-state.js'
import { ALLOW } from './decisions.js'
import { dispatch } from './dispatch.js'
import { contained, overtaken } from './failures.js'
import { endBroken, endCall, withDeferred } from './finalize.js'
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
  try {
    // The caller has its promise before anybody else's code runs: no stage or body runs inside the caller's own.
    await undefined
    const decided = refusal ?? decide(state)
    const denial = isPending(decided) ? await decided : decided
    const dispatched = denial ?? dispatchCall(state)
    const draft = isPending(dispatched) ? await dispatched : dispatched
    const result = closeCall(state, draft)
    return isPending(result) ? await result : result
  } catch (error) {
    return endBroken(state, error)
  }
}

/** Step one, policy: prepare, pre-execute stages, guards, approval if it is asked for, guards again. */
export async function openCall(
  host: PipelineHost,
  from: CallScope,
  input: ReadInput,
  batch?: BatchTerms,
): Promise<Prepared> {
  const { state, refusal } = prepare(host, from, input, batch)
  return { state, refusal: refusal ?? (await contained(state, () => decide(state))) }
}

function decide(state: CallState): Pending<Draft | undefined> {
  if (state.policy.preExecute.length === 0) return heed(state, ALLOW)
  return preExecute(state).then(decision => heed(state, decision))
}

function heed(state: CallState, decision: PreToolDecision | Final): Pending<Draft | undefined> {
  if (decision instanceof Final) return decision
  if (decision.kind === 'deny') return failed(state.call, 'DENIED', decision.reason)
  const denied = runGuards(state)
  if (denied !== undefined || decision.kind === 'allow') return denied ?? overtaken(state)
  return ask(state, decision.reason)
}

async function ask(state: CallState, reason: string | undefined): Promise<Draft | undefined> {
  return (await askApproval(state, reason)) ?? runGuards(state) ?? overtaken(state)
}

/** Step two, the body: around stages with dispatch inside them. */
export function dispatchCall(state: CallState): Pending<Draft> {
  return state.policy.around.length === 0 ? dispatch(state, state.lifetime) : runAround(state)
}

/** Step three: what bodies deferred, post-execute stages, cancellation, the tool's own last word, observers. */
export function closeCall(state: CallState, draft: Draft): Pending<ToolExecutionResult> {
  const isFinal = draft instanceof Final
  const result = withDeferred(state, isFinal ? draft.result : draft)
  if (isFinal || state.policy.postExecute.length === 0) return endCall(state, result)
  return postExecute(state, result).then(judged => endCall(state, judged))
}

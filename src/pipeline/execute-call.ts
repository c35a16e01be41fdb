import { failed } from '../tools/results.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { runAround } from './around.js'
import { askApproval } from './ask-approval.js'
import type { CallScope, CallState, Draft, PipelineHost } from './call-state.js'
import { ALLOW } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { abortedBeforeDispatch } from './failures.js'
import { cancelled, finalizeContent, notify } from './finalize.js'
import { runGuards } from './guards.js'
import { postExecute } from './post-execute.js'
import { preExecute } from './pre-execute.js'
import { type BatchTerms, type Prepared, prepare } from './prepare.js'
import { type ReadInput, readInput } from './read-input.js'

/** One call, from what the caller handed in to its one frozen result. Never rejects. */
export async function executeCall(
  host: PipelineHost,
  from: CallScope,
  input: unknown,
): Promise<ToolExecutionResult> {
  const { state, refusal } = await openCall(host, from, readInput(input, host.argumentLimits))
  return closeCall(state, refusal ?? (await dispatchCall(state)))
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

async function decide(state: CallState): Promise<Draft | undefined> {
  const { policy, call, lifetime } = state
  const decision = policy.preExecute.length === 0 ? ALLOW : await preExecute(state)
  if ('result' in decision) return decision
  if (decision.kind === 'deny') return { result: failed(call, 'DENIED', decision.reason), final: false }
  const denied = runGuards(state)
  if (denied !== undefined) return denied
  if (decision.kind === 'ask') {
    // Nobody is bothered with a call that cannot run.
    if (state.scope.resolve(call.name) === undefined) return { result: unknownTool(state), final: false }
    const refused = (await askApproval(state, decision.reason)) ?? runGuards(state)
    if (refused !== undefined) return refused
  }
  return lifetime.aborted ? abortedBeforeDispatch(state) : undefined
}

/** Step two, the body: around stages with dispatch inside them. What bodies deferred joins the result. */
export async function dispatchCall(state: CallState): Promise<Draft> {
  const { result, final } = await runAround(state)
  if (state.contexts.length === 0 && !(state.concludesTurn && !result.isError)) return { result, final }
  const contexts = Object.freeze([...state.contexts, ...(result.additionalContexts ?? [])])
  const added = contexts.length > 0 ? { additionalContexts: contexts } : {}
  const concludes = state.concludesTurn && !result.isError ? ({ concludesTurn: true } as const) : {}
  return { result: Object.freeze({ ...result, ...added, ...concludes }) as ToolExecutionResult, final }
}

/** Step three: post-execute stages, cancellation, the tool's own last word, observers. */
export async function closeCall(state: CallState, draft: Draft): Promise<ToolExecutionResult> {
  const judged = draft.final ? draft.result : await postExecute(state, draft.result)
  const result = await finalizeContent(state, cancelled(state, judged))
  notify(state, result)
  return result
}

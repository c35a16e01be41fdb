import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  parseAnswer,
} from '../approvals/approval.js'
import { describeError } from '../errors/describe-error.js'
import { quoteName } from '../errors/quote-name.js'
import { failed } from '../tools/results.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { unknownTool } from './dispatch.js'
import { abortedCall } from './failures.js'
import { presentCall } from './present-call.js'
import { usable } from './read-arguments.js'

const UNAVAILABLE: ApprovalDecision = { outcome: 'unavailable' }

function createRequest(state: CallState, tool: RegisteredTool, reason: string | undefined): ApprovalRequest {
  const { call } = state
  return Object.freeze({
    id: `approval-${crypto.randomUUID()}`,
    callId: call.callId,
    registryId: state.host.registryId,
    toolName: call.name,
    arguments: usable(call.arguments),
    ...(reason !== undefined && { reason }),
    scope: call.scope,
    ...(call.caller !== undefined && { caller: call.caller }),
    card: presentCall(tool, usable(call.arguments)),
    signal: call.signal,
  })
}

/** Asks the approver; an abort answers for it at once, and the late answer, a rejection included, is dropped. */
async function answerOf(
  state: CallState,
  approve: Approver,
  request: ApprovalRequest,
): Promise<ApprovalDecision> {
  let onAbort = (): void => {}
  const aborted = new Promise<ApprovalDecision>(resolve => {
    onAbort = () => resolve({ outcome: 'cancelled' })
    state.lifetime.onAbort(onAbort)
  })
  const answered = (async () => parseAnswer(await approve(request)) ?? UNAVAILABLE)().catch(error => {
    const { callId, name, scope } = state.call
    const text = `The approver threw: ${describeError(error)}`
    state.host.events.emit('log', { callId, name, scope, level: 'error', text, error })
    return UNAVAILABLE
  })
  try {
    return await Promise.race([answered, aborted])
  } finally {
    state.lifetime.offAbort(onAbort)
  }
}

function refusal(state: CallState, { outcome, reason }: ApprovalDecision): ToolExecutionResult | undefined {
  const { call } = state
  const because = reason === undefined ? '' : `: ${reason}`
  switch (outcome) {
    case 'allowed-once':
      return undefined
    case 'rejected': {
      const message = `The user refused the call to ${quoteName(call.name)}${because}. Do not repeat it; go on without it or ask what to do instead`
      return failed(call, 'APPROVAL_REJECTED', message, reason && { reason })
    }
    case 'cancelled': {
      if (state.lifetime.aborted) return abortedCall(state)
      const message = `The approval of the call to ${quoteName(call.name)} was cancelled${because}; the tool did not run`
      return failed(call, 'APPROVAL_CANCELLED', message, reason && { reason })
    }
    case 'unavailable': {
      const message = `The call to ${quoteName(call.name)} needs approval and nobody could be asked${because}; the tool did not run`
      return failed(call, 'APPROVAL_UNAVAILABLE', message, reason && { reason })
    }
  }
}

/** Has a human or their policy decide on the call; `undefined` is a grant for this one call. */
export async function askApproval(
  state: CallState,
  reason: string | undefined,
): Promise<ToolExecutionResult | undefined> {
  const { call, host, lifetime } = state
  // Nobody is bothered with a call that cannot run.
  const tool = state.scope.resolve(call.name)
  if (tool === undefined) return unknownTool(state)
  const { approve } = state.scope.policy()
  if (approve === undefined) return refusal(state, reason ? { outcome: 'unavailable', reason } : UNAVAILABLE)
  if (lifetime.aborted) return abortedCall(state)
  const { callId, rootCallId, name, scope } = call
  const request = createRequest(state, tool, reason)
  const { id } = request
  host.events.emit('approval:asked', { id, callId, rootCallId, name, scope, call, request })
  const decision = await answerOf(state, approve, request)
  host.events.emit('approval:decided', { id, callId, rootCallId, name, scope, ...decision })
  state.approved = tool
  return refusal(state, decision)
}

import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest, Approver } from '../../approvals/approval.js'
import { within } from '../conformance-case.js'

/** Puts what is tested around an approver. */
export type ApproverWrapper = (approver: Approver) => Approver

export type ApproverCase = readonly [name: string, check: (wrap: ApproverWrapper) => Promise<void>]

export const OUTCOMES: readonly ApprovalOutcome[] = ['allowed-once', 'rejected', 'cancelled', 'unavailable']

/** For an approver that never answers, though it was told that nobody waits. */
const NEVER_MS = 3_000

let asked = 0

/** A question as a registry asks it, about a tool and arguments that no other question has. */
export function question(rest: Partial<ApprovalRequest> = {}): ApprovalRequest {
  asked += 1
  return Object.freeze({
    id: `question-${asked}`,
    callId: `call-${asked}` as ApprovalRequest['callId'],
    registryId: 'registry',
    toolName: `tool-${asked}`,
    arguments: Object.freeze({ n: asked }),
    scope: 'root' as ApprovalRequest['scope'],
    signal: new AbortController().signal,
    ...rest,
  })
}

/** The same question once more: another call, with an id of its own. */
export function again(request: ApprovalRequest, rest: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const { id, callId } = question()
  return Object.freeze({ ...request, id, callId, ...rest })
}

/** What a registry takes for an answer: one of the outcomes, or one with a reason and nothing else. */
function isAnswer(answer: unknown): answer is ApprovalAnswer {
  if (typeof answer === 'string') return OUTCOMES.some(known => known === answer)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false
  if (!Object.hasOwn(answer, 'outcome')) return false
  if (Reflect.ownKeys(answer).some(key => key !== 'outcome' && key !== 'reason')) return false
  const { outcome, reason } = answer as { readonly outcome?: unknown; readonly reason?: unknown }
  return OUTCOMES.some(known => known === outcome) && ['string', 'undefined'].includes(typeof reason)
}

/** An answer as it was given. */
export const given = async (approver: Approver, request: ApprovalRequest): Promise<ApprovalAnswer> =>
  within(NEVER_MS, approver(request), 'there was no answer')

/** The outcome as the registry takes it: what throws, rejects or is no answer is `unavailable`. */
export function taken(approver: Approver, request: ApprovalRequest): Promise<ApprovalOutcome> {
  const asking = async (): Promise<ApprovalOutcome> => {
    try {
      const answer: unknown = await approver(request)
      if (!isAnswer(answer)) return 'unavailable'
      return typeof answer === 'string' ? answer : answer.outcome
    } catch {
      return 'unavailable'
    }
  }
  const answered = within(NEVER_MS, asking(), 'there was no answer')
  // A case that has failed by then waits for it no more.
  answered.catch(() => {})
  return answered
}

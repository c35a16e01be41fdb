import type { JsonValue } from '../json/json-value.js'
import { ownFields } from '../json/own-fields.js'
import type { ToolCallView } from '../presentation/cards.js'
import type { CallId, ScopeId } from '../tools/call-id.js'

/** What an approver is asked. */
export interface ApprovalRequest {
  /** Of this question; each ask has its own. */
  readonly id: string
  readonly callId: CallId
  /** Of the registry that asks: another registry's tools and scopes may have the same names. New in each process. */
  readonly registryId: string
  readonly toolName: string
  /** The very arguments that will run: deeply frozen. */
  readonly arguments: JsonValue
  /** Why the policy asks. */
  readonly reason?: string
  readonly scope: ScopeId
  readonly caller?: unknown
  /** The call as the tool itself would show it. */
  readonly card?: ToolCallView
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The four answers: go on with this one call, no, the question was withdrawn, nobody is there to ask. */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

/** An answer, with a reason where there is one to give. */
export type ApprovalAnswer = ApprovalOutcome | { readonly outcome: ApprovalOutcome; readonly reason?: string }

/** Answers whether a call may run. A throw, a rejection or any other answer counts as `unavailable`. */
export type Approver = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>

/** An answer that was checked. */
export interface ApprovalDecision {
  readonly outcome: ApprovalOutcome
  readonly reason?: string
}

const OUTCOMES: readonly ApprovalOutcome[] = ['allowed-once', 'rejected', 'cancelled', 'unavailable']

/** Checks an answer: exactly one of the outcomes, or exactly one with a reason. `undefined` for anything else. */
export function readAnswer<O extends string>(
  answer: unknown,
  outcomes: readonly O[],
): { readonly outcome: O; readonly reason?: string } | undefined {
  const isOutcome = (value: unknown): value is O => (outcomes as readonly unknown[]).includes(value)
  if (isOutcome(answer)) return { outcome: answer }
  const fields = ownFields(answer, ['outcome', 'reason'])
  if (typeof fields === 'string') return undefined
  const { outcome, reason } = fields
  if (!isOutcome(outcome) || (reason !== undefined && typeof reason !== 'string')) return undefined
  return reason === undefined || reason === '' ? { outcome } : { outcome, reason }
}

/** Checks the answer of an `Approver`. */
export function parseAnswer(answer: unknown): ApprovalDecision | undefined {
  return readAnswer(answer, OUTCOMES)
}

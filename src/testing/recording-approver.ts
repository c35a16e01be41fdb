import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from '../approvals/approval.js'

/** An approver for tests that keeps what it was asked. */
export interface RecordingApprover {
  (request: ApprovalRequest): Promise<ApprovalAnswer>
  /** The questions, in the order in which they came. */
  readonly requests: readonly ApprovalRequest[]
}

/** One answer for all questions, one for each in turn, or a function of the question. */
export type RecordedAnswers =
  | ApprovalAnswer
  | readonly ApprovalAnswer[]
  | ((request: ApprovalRequest, index: number) => ApprovalAnswer | Promise<ApprovalAnswer>)

const OUTCOMES: readonly unknown[] = [
  'allowed-once',
  'rejected',
  'cancelled',
  'unavailable',
] satisfies readonly ApprovalOutcome[]

/** What a registry would take for no answer, and for a refusal, is a slip here. */
function requireAnswer(answer: unknown): void {
  const given =
    typeof answer === 'object' && answer !== null
      ? (answer as { readonly outcome?: unknown }).outcome
      : answer
  if (OUTCOMES.includes(given)) return
  const shown = typeof given === 'string' ? `"${given}"` : `a value of type ${typeof given}`
  throw new TypeError(`recordingApprover: ${shown} is no outcome; there are ${OUTCOMES.join(', ')}`)
}

/**
 * An approver that answers as it is told, default `allowed-once`, and keeps the questions. Asked more often than a list has
 * answers, it throws, which the registry takes as `unavailable`.
 * @throws TypeError for an answer that is none; what a function answers is handed on as it is
 */
export function recordingApprover(answers: RecordedAnswers = 'allowed-once'): RecordingApprover {
  if (typeof answers !== 'function')
    for (const answer of Array.isArray(answers) ? answers : [answers]) requireAnswer(answer)
  const requests: ApprovalRequest[] = []
  const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    const index = requests.push(request) - 1
    if (typeof answers === 'function') return answers(request, index)
    if (!Array.isArray(answers)) return answers as ApprovalAnswer
    const answer: ApprovalAnswer | undefined = answers[index]
    if (answer === undefined)
      throw new Error(`question ${index + 1} has no answer: ${answers.length} were given`)
    return answer
  }
  return Object.assign(approve, { requests })
}

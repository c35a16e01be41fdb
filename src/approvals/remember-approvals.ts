import { ToolgateError } from '../errors/toolgate-error.js'
import { canonicalJson } from '../json/canonical-json.js'
import { type ApprovalAnswer, type ApprovalOutcome, type ApprovalRequest, readAnswer } from './approval.js'
import { type ApprovalFilter, ApprovalMemory } from './approval-memory.js'
import { AskQueue } from './ask-queue.js'

/** An approver's outcomes, and two that also answer every later ask of the same. */
export type SessionOutcome = ApprovalOutcome | 'allowed-for-session' | 'rejected-for-session'

/** An answer that may be for the session, with a reason where there is one to give. */
export type SessionAnswer = SessionOutcome | { readonly outcome: SessionOutcome; readonly reason?: string }

/** An approver whose answers may be for the session. Any `Approver` is one. */
export type SessionApprover = (request: ApprovalRequest) => SessionAnswer | Promise<SessionAnswer>

/** Options of `rememberApprovals`. */
export interface RememberApprovalsOptions {
  /** How many answers to keep; past it the one unused for longest goes first, and is asked for again. Default 1000. */
  readonly maxEntries?: number
}

/** An approver that remembers. It gives the four plain outcomes only. */
export interface RememberingApprover {
  (request: ApprovalRequest): Promise<ApprovalAnswer>
  /**
   * Forgets the answers that match every field given, a field that is `undefined` matching all, and says how many they were.
   * The answer to a matching question that is being asked serves its own call and is not kept.
   */
  forget(filter: ApprovalFilter): number
  /** Forgets everything. */
  clear(): void
  /** How many answers are kept. */
  readonly size: number
}

const PLAIN: { readonly [outcome in SessionOutcome]: ApprovalOutcome } = {
  'allowed-once': 'allowed-once',
  'allowed-for-session': 'allowed-once',
  rejected: 'rejected',
  'rejected-for-session': 'rejected',
  cancelled: 'cancelled',
  unavailable: 'unavailable',
}
const OUTCOMES = Object.keys(PLAIN) as SessionOutcome[]

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

function requireOptions(what: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new ToolgateError('INVALID_OPTIONS', `${what} takes an object`)
  const unknown = Object.keys(options).find(key => !known.includes(key))
  if (unknown !== undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `${what} has no option "${unknown}"; it has ${known.join(', ')}`,
    )
}

/** Settles as `undefined` when the signal aborts. */
function whenAborted(signal: AbortSignal): { readonly aborted: Promise<undefined>; stop(): void } {
  let stop = (): void => {}
  const aborted = new Promise<undefined>(resolve => {
    const listener = (): void => resolve(undefined)
    if (signal.aborted) return listener()
    signal.addEventListener('abort', listener)
    stop = () => signal.removeEventListener('abort', listener)
  })
  return { aborted, stop: () => stop() }
}

/**
 * Wraps an approver so that an answer for the session, `allowed-for-session` or `rejected-for-session`, also serves later
 * asks of the same registry with the same tool name, scope, caller (by identity) and equal arguments; their reasons say so. Those who ask the
 * same at once are asked about one after the other. Nothing else is kept: no throw, no answer outside the outcomes, none to
 * a call that was aborted. Answers are kept by the tool's name: call `forget` when another tool takes it, which the
 * registry's `change` event tells. Needs `crypto.subtle`.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function rememberApprovals<const A extends SessionAnswer>(
  // A type parameter, because an async function with one literal answer has a literal type only where one is inferred.
  approver: (request: ApprovalRequest) => A | Promise<A>,
  options: RememberApprovalsOptions = {},
): RememberingApprover {
  requireOptions('rememberApprovals', options, ['maxEntries'])
  const { maxEntries = 1000 } = options
  if (typeof approver !== 'function')
    throw new ToolgateError('INVALID_OPTIONS', 'rememberApprovals wraps an approver, a function')
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1)
    throw new ToolgateError('INVALID_OPTIONS', 'maxEntries must be a positive whole number')
  const memory = new ApprovalMemory(maxEntries)
  const queue = new AskQueue()

  const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    const { registryId, toolName, scope, caller, signal } = request
    const subject = { registryId, toolName, scope, caller }
    const text = canonicalJson(request.arguments)
    const place = queue.join(memory.textOf(subject) + text)
    const question = memory.open(subject)
    const { aborted, stop } = whenAborted(signal)

    const answer = async (): Promise<ApprovalAnswer | undefined> => {
      await place.turn
      const digest = await sha256(text)
      const remembered = memory.recall(subject, digest)
      if (remembered !== undefined) return remembered
      if (signal.aborted) return undefined
      question.forgotten = false
      const given = readAnswer(await approver(request), OUTCOMES)
      if (given === undefined) return 'unavailable'
      const { outcome, reason } = given
      const plain = PLAIN[outcome]
      if (outcome !== plain && !signal.aborted && !question.forgotten) {
        const because = reason === undefined ? '' : `: ${reason}`
        memory.keep(subject, digest, { outcome: plain, reason: `remembered for this session${because}` })
      }
      return reason === undefined ? plain : { outcome: plain, reason }
    }

    try {
      // An abort answers at once; what the approver says later is dropped.
      return (await Promise.race([aborted, answer()])) ?? 'cancelled'
    } finally {
      stop()
      memory.close(question)
      place.leave()
    }
  }

  return Object.freeze(
    Object.defineProperties(approve, {
      forget: {
        value: (filter: ApprovalFilter): number => {
          requireOptions('forget', filter, ['toolName', 'scope', 'caller'])
          return memory.forget(filter)
        },
      },
      clear: { value: () => void memory.forget({}) },
      size: { get: () => memory.size },
    }),
  ) as unknown as RememberingApprover
}

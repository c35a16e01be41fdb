import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest, Approver } from '../approvals/approval.js'
import type { ConformanceCase } from './code-runtime/bench.js'
import { expectEqual, expectThat } from './expect.js'
import { gate } from './gate.js'
import { recordingApprover } from './recording-approver.js'

/** Puts what is tested around an approver. */
export type ApproverWrapper = (approver: Approver) => Approver

const OUTCOMES: readonly ApprovalOutcome[] = ['allowed-once', 'rejected', 'cancelled', 'unavailable']

let asked = 0

/** A question as a registry asks it, about a tool and arguments that no other question has. */
function question(rest: Partial<ApprovalRequest> = {}): ApprovalRequest {
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

type GivenAnswer = { readonly outcome: unknown; readonly reason: unknown }

const outcomeOf = (answer: ApprovalAnswer): string => (typeof answer === 'string' ? answer : answer.outcome)

/** The outcome as the registry takes it: what throws, rejects or is no answer is `unavailable`. */
async function taken(approver: Approver, request: ApprovalRequest): Promise<string> {
  try {
    const answer: unknown = await approver(request)
    const { outcome, reason } =
      typeof answer === 'string' ? { outcome: answer } : (answer as Partial<GivenAnswer>)
    const isAnswer =
      OUTCOMES.some(known => known === outcome) && ['string', 'undefined'].includes(typeof reason)
    return isAnswer ? String(outcome) : 'unavailable'
  } catch {
    return 'unavailable'
  }
}

const CASES: readonly (readonly [name: string, check: (wrap: ApproverWrapper) => Promise<void>])[] = [
  [
    'each of the four outcomes arrives as it was given, its reason too',
    async wrap => {
      for (const outcome of OUTCOMES) {
        expectEqual(await taken(wrap(recordingApprover(outcome)), question()), outcome, 'outcome')
        const answer = await wrap(recordingApprover({ outcome, reason: 'because' }))(question())
        const reason = typeof answer === 'object' ? answer.reason : undefined
        expectEqual([outcomeOf(answer), reason], [outcome, 'because'], 'outcome and reason')
      }
    },
  ],
  [
    'the question arrives as it was asked, once',
    async wrap => {
      const inner = recordingApprover()
      const request = question({ reason: 'it deletes', caller: {} })
      await wrap(inner)(request)
      const [seen] = inner.requests
      expectEqual(inner.requests.length, 1, 'questions')
      for (const key of ['toolName', 'arguments', 'reason', 'scope', 'caller', 'callId'] as const)
        expectThat(seen?.[key] === request[key], `${key} is another`)
    },
  ],
  [
    'an approver that throws, rejects or answers nonsense allows nothing',
    async wrap => {
      const fail = (): never => {
        throw new Error('broken')
      }
      const nonsense = [
        'yes',
        true,
        undefined,
        {},
        { outcome: 'allowed' },
        { outcome: 'allowed-once', reason: 5 },
      ]
      const broken: readonly Approver[] = [
        fail,
        async () => fail(),
        ...nonsense.map(answer => async () => answer as ApprovalAnswer),
      ]
      for (const inner of broken) {
        expectThat((await taken(wrap(inner), question())) !== 'allowed-once', 'it is allowed')
      }
    },
  ],
  [
    'a question that is aborted is answered, though nobody answers it, and not with an allowance',
    async wrap => {
      const controller = new AbortController()
      const reached = gate()
      const silent: Approver = ({ signal }) => {
        reached.open()
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('withdrawn')))
        })
      }
      const answer = taken(wrap(silent), question({ signal: controller.signal }))
      await reached.opened
      controller.abort()
      expectThat((await answer) !== 'allowed-once', 'it is allowed')
    },
  ],
  [
    'different questions do not wait for each other',
    async wrap => {
      const both = gate()
      let open = 0
      const approver = wrap(async (): Promise<ApprovalAnswer> => {
        open += 1
        if (open === 2) both.open()
        await both.opened
        return 'allowed-once'
      })
      const answers = await Promise.all([taken(approver, question()), taken(approver, question())])
      expectEqual(answers, ['allowed-once', 'allowed-once'], 'outcomes')
    },
  ],
  [
    'an answer for one tool, scope, caller or arguments is none for another',
    async wrap => {
      const inner = recordingApprover(['allowed-once', ...Array<ApprovalOutcome>(4).fill('rejected')])
      const approver = wrap(inner)
      const first = question({ caller: 'a' })
      await approver(first)
      for (const other of [
        { toolName: 'other' },
        { scope: 'other' as ApprovalRequest['scope'] },
        { caller: 'b' },
        { arguments: { n: -1 } },
      ])
        expectEqual(
          await taken(approver, { ...first, ...other }),
          'rejected',
          `with another ${Object.keys(other)}`,
        )
    },
  ],
]

/**
 * What may stand in front of an approver (a memory, a queue, a log, a rule) without changing what approval means, as cases for
 * any test framework.
 */
export function approverConformance(wrap: ApproverWrapper): readonly ConformanceCase[] {
  return CASES.map(([name, check]) => ({ name, run: () => check(wrap) }))
}

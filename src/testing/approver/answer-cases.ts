import type { ApprovalAnswer, Approver } from '../../approvals/approval.js'
import { within } from '../conformance-case.js'
import { expectEqual, expectRows, expectThat } from '../expect.js'
import { gate } from '../gate.js'
import { recordingApprover } from '../recording-approver.js'
import { type ApproverCase, again, given, OUTCOMES, question, taken } from './approver-world.js'

const PATIENCE_MS = 2_000

const fail = (): never => {
  throw new Error('broken')
}

const NONSENSE: readonly (readonly [string, unknown])[] = [
  ['another text', 'yes'],
  ['the outcome in other letters', 'ALLOWED-ONCE'],
  ['the outcome with a space', 'allowed-once '],
  ['true', true],
  ['undefined', undefined],
  ['null', null],
  ['an empty object', {}],
  ['an outcome that is none', { outcome: 'allowed' }],
  ['an outcome in a list', ['allowed-once']],
  ['a list as outcome', { outcome: ['allowed-once'] }],
  ['a reason that is no text', { outcome: 'allowed-once', reason: 5 }],
  ['an outcome and more than a reason', { outcome: 'allowed-once', arguments: { path: '/' } }],
  ['an inherited outcome', Object.create({ outcome: 'allowed-once' })],
]

const BROKEN: readonly (readonly [string, Approver])[] = [
  ['a throw', fail],
  ['a rejection', async () => fail()],
  ['a rejection with nothing', () => Promise.reject(undefined)],
  ...NONSENSE.map(([what, answer]) => [what, async () => answer as ApprovalAnswer] as const),
]

/** One question and its answer. */
export const ANSWER_CASES: readonly ApproverCase[] = [
  [
    'each of the four outcomes arrives as it was given, its reason too',
    async wrap => {
      for (const outcome of OUTCOMES) {
        expectEqual(await taken(wrap(recordingApprover(outcome)), question()), outcome, 'outcome')
        const answer = await given(wrap(recordingApprover({ outcome, reason: 'because' })), question())
        expectEqual(answer, { outcome, reason: 'because' }, 'outcome and reason')
      }
    },
  ],
  [
    'the question arrives as it was asked, once',
    async wrap => {
      const inner = recordingApprover()
      const card = { card: 'generic', title: 'Delete it' } as const
      const request = question({ reason: 'it deletes', caller: {}, card })
      await given(wrap(inner), request)
      const [seen] = inner.requests
      expectEqual(inner.requests.length, 1, 'questions')
      const keys = 'id callId registryId toolName arguments reason scope caller card'.split(' ')
      for (const key of keys as (keyof typeof request)[])
        expectThat(seen?.[key] === request[key], `${key} is another`)
      expectThat(seen?.signal?.aborted === false, 'the signal is aborted, or there is none')
    },
  ],
  [
    'an approver that throws, rejects or answers nonsense allows nothing',
    wrap =>
      expectRows(
        BROKEN,
        async ([, inner]) => {
          expectThat((await taken(wrap(inner), question())) !== 'allowed-once', 'it is allowed')
        },
        'at once',
      ),
  ],
  [
    'what broke once is asked again',
    async wrap => {
      const inner = recordingApprover((_request, index) => (index === 0 ? fail() : 'allowed-once'))
      const approver = wrap(inner)
      const request = question()
      expectThat((await taken(approver, request)) !== 'allowed-once', 'it is allowed')
      expectEqual(await taken(approver, again(request)), 'allowed-once', 'the answer of the next time')
    },
  ],
  [
    'a question that is aborted is answered, though nobody answers it, and not with an allowance',
    async wrap => {
      const controller = new AbortController()
      const [reached, told] = [gate(), gate()]
      const silent: Approver = ({ signal }) => {
        reached.open()
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            told.open()
            reject(new Error('withdrawn'))
          })
        })
      }
      const answer = taken(wrap(silent), question({ signal: controller.signal }))
      await within(PATIENCE_MS, reached.opened, 'nobody was asked')
      controller.abort()
      await within(PATIENCE_MS, told.opened, 'the approver was not told of the abort')
      expectThat((await answer) !== 'allowed-once', 'it is allowed')
    },
  ],
  [
    'a question that was aborted before it is asked is not allowed by itself',
    async wrap => {
      const refuse: Approver = () => 'rejected'
      const outcome = await taken(wrap(refuse), question({ signal: AbortSignal.abort() }))
      expectThat(outcome !== 'allowed-once', 'it is allowed')
    },
  ],
]

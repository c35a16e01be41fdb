import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest, Approver } from '../../approvals/approval.js'
import type { JsonValue } from '../../json/json-value.js'
import { within } from '../conformance-case.js'
import { expectEqual, expectRows } from '../expect.js'
import { gate } from '../gate.js'
import { recordingApprover } from '../recording-approver.js'
import { type ApproverCase, again, question, taken } from './approver-world.js'

const PATIENCE_MS = 2_000
const LONG = 'x'.repeat(100_000)

type Pair = readonly [what: string, first: Partial<ApprovalRequest>, second: Partial<ApprovalRequest>]

const argumentsOf = (what: string, first: JsonValue, second: JsonValue): Pair => [
  what,
  { arguments: first },
  { arguments: second },
]

const scope = (id: string): ApprovalRequest['scope'] => id as ApprovalRequest['scope']

/** Questions that are easily taken for one. */
const LOOKALIKES: readonly Pair[] = [
  ['another tool', {}, { toolName: 'other' }],
  ['the tool in other letters', { toolName: 'delete' }, { toolName: 'Delete' }],
  ['another scope', {}, { scope: scope('other') }],
  ['another registry', {}, { registryId: 'other' }],
  ['another caller', { caller: 'a' }, { caller: 'b' }],
  ['no caller', { caller: 'a' }, { caller: undefined }],
  ['a caller called undefined', { caller: undefined }, { caller: 'undefined' }],
  ['a caller of another type', { caller: 1 }, { caller: '1' }],
  ['another caller that looks the same', { caller: { id: 1 } }, { caller: { id: 1 } }],
  ['another caller function', { caller: () => 1 }, { caller: () => 1 }],
  argumentsOf('another argument', { a: 1 }, { a: 2 }),
  argumentsOf('an argument more', { a: 1 }, { a: 1, b: 1 }),
  argumentsOf('an argument less', { a: 1, b: 1 }, { a: 1 }),
  argumentsOf('an argument of another type', { a: 1 }, { a: '1' }),
  argumentsOf('null in place of nothing', {}, { a: null }),
  argumentsOf('a list in place of an object', { a: [] }, { a: {} }),
  argumentsOf('another nesting', { a: [1, [2]] }, { a: [[1], 2] }),
  argumentsOf('another deep argument', { a: { b: { c: [{ d: 1 }] } } }, { a: { b: { c: [{ d: 2 }] } } }),
  argumentsOf('another order of a list', { a: [1, 2] }, { a: [2, 1] }),
  argumentsOf('another end of a long text', { a: `${LONG}1` }, { a: `${LONG}2` }),
  argumentsOf('a space more', { a: 'b' }, { a: 'b ' }),
  argumentsOf('another lone surrogate', { a: '\ud800' }, { a: '\udfff' }),
  argumentsOf('a separator in another place', { a: 'b","c":"d' }, { a: 'b', c: 'd' }),
  argumentsOf('a key of another argument', { a: 'x', b: 'y' }, { a: 'y', b: 'x' }),
  argumentsOf('an own __proto__', JSON.parse('{"__proto__":{"a":1}}'), {}),
  ...[':', '/', '|', ',', '.', '-', '_', ' ', '\0', '\n', '::', '","'].map(
    (mark): Pair => [
      `scope and tool parted elsewhere at ${JSON.stringify(mark)}`,
      { scope: scope('a'), toolName: `b${mark}c` },
      { scope: scope(`a${mark}b`), toolName: 'c' },
    ],
  ),
]

/** Several questions: what one answer must not do to another. */
export const MEMORY_CASES: readonly ApproverCase[] = [
  [
    'an answer for one tool, scope, registry, caller or arguments is none for another',
    wrap =>
      expectRows(
        LOOKALIKES,
        async ([, first, second]) => {
          const approver = wrap(recordingApprover(['allowed-once', 'rejected']))
          const request = question(first)
          expectEqual(await taken(approver, request), 'allowed-once', 'the first')
          expectEqual(await taken(approver, again(request, second)), 'rejected', 'the other')
        },
        'at once',
      ),
  ],
  [
    'allowed-once is for one call: the same is asked again',
    async wrap => {
      const inner = recordingApprover(['allowed-once', 'rejected'])
      const approver = wrap(inner)
      const request = question()
      const outcomes = [await taken(approver, request), await taken(approver, again(request))]
      expectEqual(outcomes, ['allowed-once', 'rejected'], 'outcomes')
    },
  ],
  [
    'allowed-once is for one call of several that ask the same at once',
    async wrap => {
      const approver = wrap(recordingApprover(['allowed-once', 'rejected', 'rejected']))
      const request = question()
      const asked = [request, again(request), again(request)]
      const outcomes = await Promise.all(asked.map(each => taken(approver, each)))
      expectEqual(outcomes.toSorted(), ['allowed-once', 'rejected', 'rejected'], 'outcomes')
    },
  ],
  [
    'a grant that comes after the abort is none for the next call',
    async wrap => {
      const controller = new AbortController()
      const [reached, late] = [gate(), gate<ApprovalAnswer>()]
      const inner = recordingApprover((_request, index) => {
        reached.open()
        return index === 0 ? late.opened : 'rejected'
      })
      const approver = wrap(inner)
      const request = question({ signal: controller.signal })
      const first = taken(approver, request)
      await within(PATIENCE_MS, reached.opened, 'nobody was asked')
      controller.abort()
      late.open('allowed-once')
      await first
      const { signal } = question()
      expectEqual(await taken(approver, again(request, { signal })), 'rejected', 'the outcome of the next')
    },
  ],
  [
    'a question that was aborted holds up none that asks the same after it',
    async wrap => {
      const controller = new AbortController()
      const reached = gate()
      const silent: Approver = ({ signal }) => {
        reached.open()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      }
      let asked = 0
      const approver = wrap(request => (asked++ === 0 ? silent(request) : 'rejected'))
      const request = question({ signal: controller.signal })
      const first = taken(approver, request)
      await within(PATIENCE_MS, reached.opened, 'nobody was asked')
      const { signal } = question()
      const second = taken(approver, again(request, { signal }))
      controller.abort()
      expectEqual(await second, 'rejected', 'the outcome of the second')
      await first
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
        await within(PATIENCE_MS, both.opened, 'the other question was not asked')
        return 'allowed-once'
      })
      const answers = await Promise.all([taken(approver, question()), taken(approver, question())])
      expectEqual(answers, ['allowed-once', 'allowed-once'], 'outcomes')
    },
  ],
  [
    'each question gets its own answer, in whatever order they come',
    async wrap => {
      const questions = [question(), question(), question()]
      const outcomes: readonly ApprovalOutcome[] = ['rejected', 'allowed-once', 'cancelled']
      const gates = questions.map(() => gate<ApprovalAnswer>())
      const [all, toolNames] = [gate(), questions.map(({ toolName }) => toolName)]
      let open = 0
      const approver = wrap(({ toolName }) => {
        open += 1
        if (open === questions.length) all.open()
        return gates[toolNames.indexOf(toolName)]?.opened ?? 'unavailable'
      })
      const answers = questions.map(each => taken(approver, each))
      await within(PATIENCE_MS, all.opened, 'not all questions were asked')
      for (const at of [2, 1, 0]) gates[at]?.open(outcomes[at] as ApprovalOutcome)
      expectEqual(await Promise.all(answers), outcomes, 'outcomes')
    },
  ],
]

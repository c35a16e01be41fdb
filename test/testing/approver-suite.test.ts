import { type ApprovalAnswer, type ApprovalRequest, type Approver, rememberApprovals } from 'toolgate'
import { approverConformance } from 'toolgate/testing'
import { describe, expect, test } from 'vitest'
import { expectCaught, failuresOf } from './mutants.js'

describe('approvers in front of approvers', () => {
  for (const { name, run } of approverConformance(rememberApprovals)) test(`rememberApprovals: ${name}`, run)
  for (const { name, run } of approverConformance(inner => inner)) test(`itself: ${name}`, run)
  const logged: string[] = []
  const log = (inner: Approver) => (request: ApprovalRequest) => (logged.push(request.id), inner(request))
  for (const { name, run } of approverConformance(log)) test(`a log: ${name}`, run)
})

type Wrap = (inner: Approver) => Approver
type Answered = ApprovalAnswer | Promise<ApprovalAnswer>

/** Remembers what a key says is the same. */
const rememberBy =
  (
    keyOf: (request: ApprovalRequest) => unknown,
    isKept: (answer: ApprovalAnswer) => boolean = () => true,
  ): Wrap =>
  inner => {
    const known = new Map<unknown, ApprovalAnswer>()
    return async request => {
      const key = keyOf(request)
      const before = known.get(key)
      if (before !== undefined) return before
      const answer = await inner(request)
      if (isKept(answer)) known.set(key, answer)
      return answer
    }
  }

const told = (answer: ApprovalAnswer): string => (typeof answer === 'string' ? answer : answer.outcome)
const json = JSON.stringify

/** Knows all that a key must have, and leaves out what it is given as a mistake. */
const keyWithout = (left: string, request: ApprovalRequest): string => {
  const { registryId, scope, toolName, caller, arguments: args } = request
  const parts = {
    registryId,
    scope,
    toolName,
    caller: caller === undefined ? 'none' : [typeof caller, caller],
    args,
  }
  return json({ ...parts, [left]: undefined })
}

const MUTANTS: readonly (readonly [what: string, rule: RegExp, wrap: Wrap])[] = [
  [
    'allows what broke',
    /nonsense allows nothing: a throw/,
    inner => async request => {
      try {
        return await inner(request)
      } catch {
        return 'allowed-once'
      }
    },
  ],
  [
    'takes any object with the outcome for an answer',
    /an outcome and more than a reason/,
    inner => async request =>
      ((await inner(request)) as { outcome?: unknown })?.outcome === 'allowed-once'
        ? 'allowed-once'
        : inner(request),
  ],
  [
    'takes what reads like the outcome for it',
    /the outcome in other letters/,
    inner => async request => (/^allow/i.test(String(await inner(request))) ? 'allowed-once' : 'rejected'),
  ],
  [
    'takes true for a grant',
    /nonsense allows nothing: true/,
    inner => async request => {
      const answer: unknown = await inner(request)
      return answer === true ? 'allowed-once' : (answer as ApprovalAnswer)
    },
  ],
  [
    'drops the reason',
    /its reason too/,
    inner => async request => told(await inner(request)) as ApprovalAnswer,
  ],
  [
    'makes one refusal of all',
    /each of the four outcomes/,
    inner => async request => {
      const answer = await inner(request)
      return told(answer) === 'allowed-once' ? answer : 'rejected'
    },
  ],
  [
    'asks twice',
    /the question arrives as it was asked, once/,
    inner => async request => (await inner(request), inner(request)),
  ],
  ['shows other arguments', /arguments is another/, inner => request => inner({ ...request, arguments: {} })],
  [
    'hides the reason',
    /reason is another/,
    inner =>
      ({ reason: _none, ...request }) =>
        inner(request),
  ],
  [
    'hides the caller',
    /caller is another/,
    inner =>
      ({ caller: _none, ...request }) =>
        inner(request),
  ],
  [
    'hides the card',
    /card is another/,
    inner =>
      ({ card: _none, ...request }) =>
        inner(request),
  ],
  [
    'hides the registry',
    /registryId is another/,
    inner => request => inner({ ...request, registryId: 'one' }),
  ],
  ['gives questions other ids', /\bid is another/, inner => request => inner({ ...request, id: 'mine' })],
  [
    'does not hand the abort on',
    /not told of the abort/,
    inner => request => inner({ ...request, signal: new AbortController().signal }),
  ],
  [
    'aborts at once',
    /the signal is aborted/,
    inner => request => inner({ ...request, signal: AbortSignal.abort() }),
  ],
  ['asks nobody', /once: questions|each of the four/, () => () => 'allowed-once'],
  [
    'never answers an aborted question',
    /aborted is answered.*no answer/,
    inner => request =>
      (request.signal.addEventListener('abort', () => {}) as never) ??
      Promise.resolve(inner(request)).catch(() =>
        request.signal.aborted ? new Promise<never>(() => {}) : 'unavailable',
      ),
  ],
  [
    'allows what was aborted',
    /aborted/,
    inner => request => (request.signal.aborted ? 'allowed-once' : inner(request)),
  ],
  [
    'allows when the abort comes',
    /not with an allowance/,
    inner => request =>
      new Promise<ApprovalAnswer>((resolve, reject) => {
        request.signal.addEventListener('abort', () => resolve('allowed-once'))
        Promise.resolve(inner(request)).then(resolve, reject)
      }),
  ],
  [
    'remembers what broke',
    /what broke once is asked again/,
    inner => {
      const known = new Map<string, Promise<ApprovalAnswer>>()
      return request => {
        const key = `${request.toolName} ${json(request.arguments)}`
        const running = known.get(key) ?? (async () => inner(request))()
        known.set(key, running)
        void running.then(
          () => known.delete(key),
          () => {},
        )
        return running
      }
    },
  ],
  ['remembers one grant for all', /none for another/, rememberBy(() => 'all')],
  [
    'remembers by the tool alone',
    /none for another: .*another argument/s,
    rememberBy(({ toolName }) => toolName),
  ],
  ...(['registryId', 'scope', 'toolName', 'caller', 'args'] as const).map(
    (left): readonly [string, RegExp, Wrap] => [
      `remembers by all but the ${left}`,
      /none for another|an answer for one tool/,
      rememberBy(request => keyWithout(left, request)),
    ],
  ),
  [
    'takes callers that look the same for one',
    /looks the same/,
    rememberBy(request => keyWithout('', request)),
  ],
  [
    'remembers by the names of arguments',
    /another argument: /,
    rememberBy(({ toolName, arguments: args }) => toolName + Object.keys(args as object)),
  ],
  [
    'remembers by the beginning of the arguments',
    /another end of a long text/,
    rememberBy(({ toolName, arguments: args }) => toolName + json(args).slice(0, 1000)),
  ],
  [
    'remembers by arguments as UTF-8',
    /another lone surrogate/,
    rememberBy(({ toolName, arguments: args }) => {
      const { a } = args as { readonly a?: unknown }
      return `${toolName} ${new TextDecoder().decode(new TextEncoder().encode(String(a)))}`
    }),
  ],
  [
    'puts scope and tool together',
    /parted elsewhere at ":"/,
    rememberBy(({ scope, toolName, ...request }) => `${scope}:${toolName}:${json(request.arguments)}`),
  ],
  [
    'remembers allowed-once',
    /allowed-once is for one call: the same/,
    (() => {
      const callers = new Map<unknown, number>()
      const markOf = (caller: unknown) => callers.get(caller) ?? callers.set(caller, callers.size).size
      return rememberBy(request => keyWithout('', { ...request, caller: markOf(request.caller) }))
    })(),
  ],
  [
    'asks once for all that ask the same at once',
    /several that ask the same at once/,
    inner => {
      const running = new Map<string, Answered>()
      return request => {
        const key = keyWithout('', request)
        const answer = running.get(key) ?? inner(request)
        running.set(key, answer)
        void Promise.resolve(answer).then(
          () => running.delete(key),
          () => running.delete(key),
        )
        return answer
      }
    },
  ],
  [
    'keeps a grant that came too late for the next call',
    /comes after the abort/,
    inner => {
      const late = new Map<string, ApprovalAnswer>()
      return async request => {
        const kept = late.get(request.toolName)
        if (kept !== undefined) return kept
        const answer = await inner(request)
        if (request.signal.aborted) late.set(request.toolName, answer)
        return answer
      }
    },
  ],
  [
    'asks one question at a time',
    /do not wait for each other/,
    inner => {
      let last: Promise<unknown> = Promise.resolve()
      return request => {
        const mine = last.then(() => inner(request))
        last = mine.catch(() => {})
        return mine
      }
    },
  ],
  [
    'is held up by a question that was aborted',
    /holds up none/,
    inner => {
      const lasts = new Map<string, Promise<unknown>>()
      return request => {
        const before = lasts.get(request.toolName) ?? Promise.resolve()
        const mine = before.then(() => inner(request))
        lasts.set(
          request.toolName,
          mine.catch(() => new Promise(() => {})),
        )
        return mine
      }
    },
  ],
  [
    'gives answers in the order in which they come',
    /each question gets its own answer/,
    inner => {
      const waiting: ((answer: ApprovalAnswer) => void)[] = []
      return request =>
        new Promise((resolve, reject) => {
          waiting.push(resolve)
          Promise.resolve(inner(request)).then(answer => waiting.shift()?.(answer), reject)
        })
    },
  ],
]

describe('the approver suite fails one that', () => {
  test.each(MUTANTS)('%s', async (_what, rule, wrap) => {
    await expectCaught(approverConformance(wrap), rule)
  })
})

test('the approver suite fails one that never answers, and says so', async () => {
  const failures = await failuresOf(approverConformance(() => () => new Promise(() => {})).slice(0, 2))
  expect(failures.map(failure => / there was no answer after 3000 ms/.test(failure))).toEqual(
    Array(2).fill(true),
  )
})

describe('misuse of the approver suite is told', () => {
  test('where nothing is put around an approver', async () => {
    expect(() => approverConformance(undefined as never)).toThrow('approverConformance takes a function')
    const [first] = approverConformance(() => undefined as never)
    await expect(first?.run()).rejects.toThrow('what is put around an approver must be one, a function')
    const [second] = approverConformance((async () => () => 'rejected') as never)
    await expect(second?.run()).rejects.toThrow('must be one, a function, not object')
  })
})

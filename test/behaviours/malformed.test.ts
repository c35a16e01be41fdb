/**
 * Values that are nowhere what a hook may answer, at every hook: `junk` is no decision, result, content, meta or value;
 * `throws` cannot be waited for. Where a hook happens to take one, the row says so: a body may return nothing or a text.
 */
import { runInNewContext } from 'node:vm'
import { describe, it } from 'vitest'
import { boom, failsWith, HOOKS, type Hook, revoked, succeeds } from './malformed-support.js'

type Outcome = 'junk' | 'throws'
type Row = readonly [
  what: string,
  make: () => unknown,
  outcome: Outcome,
  except?: Partial<Record<Hook, string>>,
]

const thenable = (settle: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) => ({
  then: settle,
})
const cycle = (): object => {
  const loop: { self?: unknown } = {}
  loop.self = [loop]
  return loop
}
class Decision {
  kind = 'allow'
  outcome = 'allowed-once'
  content = []
}
class Getters {
  get kind() {
    return 'allow'
  }
}

const ROWS: readonly Row[] = [
  ['null', () => null, 'junk', { body: 'ok' }],
  ['true', () => true, 'junk'],
  ['false', () => false, 'junk'],
  ['zero', () => 0, 'junk'],
  ['a number', () => 42, 'junk'],
  ['NaN', () => Number.NaN, 'junk'],
  ['a BigInt', () => 1n, 'junk'],
  ['a symbol', () => Symbol('allow'), 'junk'],
  ['an empty text', () => '', 'junk', { body: 'ok' }],
  ['a text', () => 'accept', 'junk', { body: 'ok', guard: 'GUARD_DENIED' }],
  ['a boxed text', () => new String('allow'), 'junk'],
  ['a function', () => () => ({ kind: 'allow' }), 'junk'],
  ['a class', () => class {}, 'junk'],
  ['a Date', () => new Date(0), 'junk'],
  ['a Map', () => new Map([['kind', 'allow']]), 'junk'],
  ['a Set', () => new Set(['allow']), 'junk'],
  ['a regular expression', () => /allow/, 'junk'],
  ['an error', () => new Error('by throw'), 'junk'],
  ['a typed array', () => new Uint8Array(2), 'junk'],
  ['an AbortSignal', () => AbortSignal.abort(), 'junk'],
  ['an instance of a class', () => new Decision(), 'junk'],
  ['an instance with getters', () => new Getters(), 'junk'],
  [
    'an instance of another realm',
    () => runInNewContext('new (class Decision { kind = "allow" })()'),
    'junk',
    { preExecute: 'ok' },
  ],
  ['an array with a decision in it', () => [{ kind: 'allow' }], 'junk'],
  ['a sparse array', () => new Array(2), 'junk'],
  ['a decorated array', () => Object.assign([], { kind: 'allow' }), 'junk'],
  ['nested arrays', () => [[[]]], 'junk'],
  ['an object with undefined inside', () => ({ x: undefined }), 'junk'],
  ['an object with a function inside', () => ({ kind: () => 'allow' }), 'junk'],
  ['an object with a promise inside', () => ({ kind: Promise.resolve('allow') }), 'junk'],
  ['an object with a symbol key', () => ({ [Symbol('kind')]: 'allow' }), 'junk'],
  [
    'an object with a hidden key',
    () => Object.defineProperty({}, 'kind', { value: 'allow' }),
    'junk',
    { preExecute: 'ok' },
  ],
  ['a cycle', cycle, 'junk'],
  [
    'a cyclic array',
    () => {
      const list: unknown[] = []
      list.push(list)
      return list
    },
    'junk',
  ],
  [
    'an accessor that throws',
    () => Object.defineProperty({}, 'kind', { enumerable: true, get: boom }),
    'junk',
  ],
  [
    'accessors that all throw',
    () => new Proxy({ kind: 1 }, { get: (_t, key) => (key === 'then' ? undefined : boom()) }),
    'junk',
  ],
  ['a proxy that lists no keys', () => new Proxy({}, { ownKeys: boom }), 'junk'],
  [
    'a proxy without descriptors',
    () => new Proxy({ kind: 'allow' }, { getOwnPropertyDescriptor: boom }),
    'junk',
    { preExecute: 'ok' },
  ],
  ['a proxy without prototype to tell', () => new Proxy(new Decision(), { getPrototypeOf: boom }), 'junk'],
  ['a promise of junk', async () => ({ x: undefined }), 'junk'],
  ['a promise of a promise of junk', async () => Promise.resolve(5), 'junk'],
  ['a thenable of junk', () => thenable(resolve => resolve(5)), 'junk'],
  [
    'a thenable of a thenable of junk',
    () => thenable(resolve => resolve(thenable(inner => inner(5)))),
    'junk',
  ],
  ['a promise that rejects', () => Promise.reject(new Error('by throw')), 'throws'],
  ['a promise that rejects with nothing', () => Promise.reject(), 'throws'],
  ['a thenable that rejects', () => thenable((_resolve, reject) => reject(new Error('by throw'))), 'throws'],
  ['a thenable whose then throws', () => thenable(boom), 'throws'],
  ['an accessor then that throws', () => Object.defineProperty({}, 'then', { get: boom }), 'throws'],
]

const CODES: Readonly<Record<Hook, Readonly<Record<Outcome, string>>>> = {
  preExecute: { junk: 'INVALID_DECISION', throws: 'STAGE_FAILED' },
  // A guard is not waited for.
  guard: { junk: 'INVALID_DECISION', throws: 'INVALID_DECISION' },
  approve: { junk: 'APPROVAL_UNAVAILABLE', throws: 'APPROVAL_UNAVAILABLE' },
  execute: { junk: 'INVALID_DECISION', throws: 'STAGE_FAILED' },
  postExecute: { junk: 'INVALID_DECISION', throws: 'STAGE_FAILED' },
  finalizeContent: { junk: 'INVALID_TOOL_OUTPUT', throws: 'TOOL_FAILED' },
  body: { junk: 'INVALID_TOOL_OUTPUT', throws: 'TOOL_FAILED' },
  // Projections are not waited for either.
  render: { junk: 'INVALID_TOOL_OUTPUT', throws: 'INVALID_TOOL_OUTPUT' },
  presentationMeta: { junk: 'INVALID_TOOL_OUTPUT', throws: 'INVALID_TOOL_OUTPUT' },
}

describe.each(HOOKS)('%s: what is no answer at all ends the call in one frozen failure', hook => {
  for (const [what, make, outcome, except] of ROWS) {
    const wanted = except?.[hook] ?? CODES[hook][outcome]
    it(what, () => (wanted === 'ok' ? succeeds(hook, make) : failsWith(hook, make, wanted)))
  }

  it.each([
    ['an object', () => revoked()],
    ['an array', () => revoked([])],
    ['a function', () => revoked(() => {})],
  ])('a revoked proxy around %s', async (_what, make) => {
    await failsWith(hook, make, CODES[hook].throws)
  })

  it.each([
    ['an error', () => new Error('by throw')],
    ['nothing', () => undefined],
    ['a text', () => 'by throw'],
    ['a revoked proxy', () => revoked()],
    ['an error whose message throws', () => Object.defineProperty(new Error(), 'message', { get: boom })],
    ['an object without prototype', () => Object.create(null)],
  ])('a throw of %s', async (_what, make) => {
    const throwing = () => {
      throw make()
    }
    const code = hook === 'guard' ? 'STAGE_FAILED' : CODES[hook].throws
    await failsWith(hook, throwing, code)
  })
})

/** A schema's own check, which keeps no rule. */
export type Validate = (value: any) => unknown

export const refuse = (): never => {
  throw new Error('boom')
}

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy
}

export const standard = (validate: unknown, rest: object = {}): object => ({
  '~standard': { version: 1, vendor: 'odd', validate, ...rest },
})

export const pair = (validate: unknown): object => ({
  schema: standard(validate),
  jsonSchema: { type: 'object' },
})

const issue =
  (path: unknown, message: unknown = 'bad'): Validate =>
  () => ({ issues: [{ message, path }] })

/** What may be wrong with the answer, and what is said of it. */
export const REFUSALS: readonly (readonly [what: string, validate: Validate, said: string])[] = [
  ['throws', refuse, 'arguments could not be checked: boom'],
  [
    'throws a symbol',
    () => {
      throw Symbol('s')
    },
    'arguments could not be checked: Symbol(s)',
  ],
  [
    'throws a revoked proxy',
    () => {
      throw revoked()
    },
    'arguments could not be checked: an error that cannot be shown as text',
  ],
  [
    'throws a book',
    () => {
      throw new Error('x'.repeat(10_000))
    },
    `arguments could not be checked: ${'x'.repeat(300)}…`,
  ],
  ['rejects', async () => refuse(), 'arguments could not be checked: boom'],
  [
    'answers a revoked proxy',
    revoked,
    "arguments could not be checked: Cannot perform 'get' on a proxy that has been revoked",
  ],
  ['answers nothing', () => undefined, 'arguments could not be checked: its schema gave no answer'],
  ['answers nothing, later', async () => null, 'arguments could not be checked: its schema gave no answer'],
  [
    'answers a function',
    () => () => ({ value: 1 }),
    'arguments could not be checked: its schema gave no answer',
  ],
  ['answers yes', () => true, 'arguments could not be checked: its schema gave no answer'],
  [
    'answers neither a value nor issues',
    () => ({ issues: undefined }),
    'arguments could not be checked: its schema gave no value',
  ],
  ['answers a value and issues', () => ({ value: 1, issues: [{ message: 'bad' }] }), 'arguments: bad'],
  [
    'answers a value and no issues in a list',
    () => ({ value: 1, issues: [] }),
    'arguments could not be checked: its schema refused it',
  ],
  [
    'has issues that are true',
    () => ({ value: 1, issues: true }),
    'arguments could not be checked: its schema refused it',
  ],
  [
    'has issues that look like a list',
    () => ({ issues: { 0: { message: 'bad' }, length: 1 } }),
    'arguments could not be checked: its schema refused it',
  ],
  [
    'has issues that are revoked',
    () => ({ issues: revoked() }),
    "arguments could not be checked: Cannot perform 'IsArray' on a proxy that has been revoked",
  ],
  [
    'has an issue that is revoked',
    () => ({ issues: [revoked()] }),
    "arguments is invalid: Cannot perform 'get' on a proxy that has been revoked",
  ],
  ['has an issue that is a hole', () => ({ issues: new Array(1) }), 'arguments is invalid'],
  ['has an issue that is text', () => ({ issues: ['bad'] }), 'arguments is invalid'],
  ['has an issue without a message', () => ({ issues: [{ path: ['a'] }] }), 'a is invalid'],
  ['has an issue with an empty message', issue(['a'], ''), 'a is invalid'],
  ['has an issue with a message that is no text', issue(['a'], { toString: refuse }), 'a is invalid'],
  ['has an issue without a path', () => ({ issues: [{ message: 'bad' }] }), 'arguments: bad'],
  ['has an empty path', issue([]), 'arguments: bad'],
  ['has a path that is text', issue('a.b'), 'arguments: bad'],
  [
    'has a path that is revoked',
    issue(revoked()),
    "arguments is invalid: Cannot perform 'IsArray' on a proxy that has been revoked",
  ],
  [
    'has a step that is revoked',
    issue(['a', revoked()]),
    "arguments is invalid: Cannot perform 'get' on a proxy that has been revoked",
  ],
  [
    'has a step whose key throws',
    issue([
      {
        get key() {
          return refuse()
        },
      },
    ]),
    'arguments is invalid: boom',
  ],
  [
    'has steps of all kinds',
    issue(['a', 0, { key: 'b c' }, { key: 1 }, Symbol('s'), null, 1n, {}, ['x'], '']),
    'a[0]["b c"][1]["Symbol(s)"][""]: bad',
  ],
  ['has numbers that are no index', issue(['a', -1, 1.5, Number.NaN]), 'a[-1][1.5][NaN]: bad'],
  [
    'has a path without end',
    issue(new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 - 1 : 'a') })),
    'arguments is invalid: ',
  ],
  ['says the path itself', issue(['a'], 'a must be good'), 'a must be good'],
  ['begins like the path', issue(['a'], 'arguments are good'), 'a: arguments are good'],
  ['says a book', issue(['a'], 'x'.repeat(10_000)), `a: ${'x'.repeat(300)}…`],
]

/** Values that throw, lie or never end when they are looked at. */
export function hostileValues(): readonly [name: string, value: unknown][] {
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const revokedArray = Proxy.revocable([], {})
  revokedArray.revoke()
  const cycle: Record<string, unknown> = { text: 'a', list: ['b'] }
  cycle.config = cycle
  const refuse = (): never => {
    throw new Error('no')
  }
  const traps = { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse }
  return [
    [
      'a throwing getter',
      {
        get text() {
          return refuse()
        },
      },
    ],
    [
      'a getter that throws something unprintable',
      {
        get text() {
          throw {
            get message() {
              return refuse()
            },
          }
        },
      },
    ],
    ['a revoked proxy', revoked.proxy],
    ['a revoked array proxy', revokedArray.proxy],
    ['a property that is a revoked proxy', { text: 'a', config: revoked.proxy, list: revokedArray.proxy }],
    ['a proxy whose traps throw', new Proxy({}, traps)],
    ['a cycle', cycle],
    ['a huge sparse array', { text: 'a', list: new Array(2 ** 32 - 1) }],
    [
      'a proxy without end',
      { text: 'a', list: new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 53 - 1 : 'a') }) },
    ],
    ['symbols', { text: Symbol('a'), [Symbol('b')]: 1 }],
    ['a bigint', { text: 1n }],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', { text: 'a', config: new Map() }],
    ['undefined', undefined],
    ['an object without prototype that has bad keys', Object.assign(Object.create(null), { text: 1 })],
  ]
}

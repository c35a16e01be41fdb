import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

/** What it makes of things that can be gone through, in newer runtimes too. */
const HELPERS = `const later = value => new Promise(resolve => queueMicrotask(() => resolve(value)))
async function* counted(...items) { for (const item of items) yield item }
const came = async promise => { try { return await promise } catch (e) { return e instanceof Error ? e.name + (e.own ?? '') : 'threw ' + e } }
const steps = []
const watched = (answers, back) => ({ next() { steps.push('next'); return answers.shift() }, return(...args) { steps.push('return ' + args.length); return back?.() } })
const async = iterator => ({ [Symbol.asyncIterator]: () => iterator }), sync = iterator => ({ [Symbol.iterator]: () => iterator })
`
const programs: readonly (readonly [string, string, unknown])[] = [
  [
    'goes through what gives its items later, at once, or by their numbers, and awaits those of the last two',
    `return [await Array.fromAsync(counted(1, 2)), await Array.fromAsync([later(1), 2, [later]].slice(0, 2)), await Array.fromAsync(new Set('abca')),
  await Array.fromAsync('é😀'), await Array.fromAsync({ length: 2, 0: later('x'), 1: 'y' }), await Array.fromAsync({ length: '1.7', 0: 0 }),
  await Array.fromAsync({ length: -3 }), await Array.fromAsync(5), await Array.fromAsync(new Map([[1, 2]]))]`,
    [[1, 2], [1, 2], ['a', 'b', 'c'], ['é', '😀'], ['x', 'y'], [0], [], [], [[1, 2]]],
  ],
  [
    'maps each with its number and what `this` is to be, and awaits what comes of it before the next',
    `const seen = []
const map = async function (value, at, ...rest) { seen.push('in ' + value); await later(); seen.push('out ' + value); return [value, at, this.name, rest.length] }
return [await Array.fromAsync(counted('a', 'b'), map, { name: 'n' }), await Array.fromAsync(['c', later('d')], map, { name: 'm' }),
  await Array.fromAsync({ length: 1, 0: later('e') }, map, { name: 'o' }), await Array.fromAsync([1], (v, i) => v + i, 5), seen]`,
    [
      [
        ['a', 0, 'n', 0],
        ['b', 1, 'n', 0],
      ],
      [
        ['c', 0, 'm', 0],
        ['d', 1, 'm', 0],
      ],
      [['e', 0, 'o', 0]],
      [1],
      ['a', 'b', 'c', 'd', 'e'].flatMap(name => [`in ${name}`, `out ${name}`]),
    ],
  ],
  [
    'takes promises as they are from what gives its items later',
    `const made = async(watched([{ value: later(1), done: false }, later({ value: later(2), done: true })]))
const list = await Array.fromAsync(made)
return [list.length, list[0] instanceof Promise, await list[0]]`,
    [1, true, 1],
  ],
  [
    'is a method like the others',
    `const { value, ...own } = Object.getOwnPropertyDescriptor(Array, 'fromAsync')
const fails = f => { try { f(); return 'nothing' } catch (e) { return e.name } }
return [own, value.name, value.length, Object.getOwnPropertyDescriptor(value, 'length').writable, Object.getPrototypeOf(value) === Function.prototype,
  'prototype' in value, fails(() => new Array.fromAsync([])), Object.keys(Array), Array.fromAsync([]) instanceof Promise]`,
    [
      { writable: true, enumerable: false, configurable: true },
      'fromAsync',
      1,
      false,
      true,
      false,
      'TypeError',
      [],
      true,
    ],
  ],
  [
    'rejects, and never throws',
    `const all = [Array.fromAsync(), Array.fromAsync(null), Array.fromAsync([1], null), Array.fromAsync([1], {}), Array.fromAsync({ [Symbol.iterator]: 1 }),
  Array.fromAsync({ [Symbol.asyncIterator]: () => 1 }), Array.fromAsync({ get length() { throw 'length' } }), Array.fromAsync([Promise.reject('item')]),
  Array.fromAsync({ length: 2 ** 32 }), Array.fromAsync(async({ next: () => 1 })), Array.fromAsync(async({ next: async () => { throw 'next' } })),
  Array.fromAsync((function* () { yield 1; return Promise.reject('last') })())]
return await Promise.all(all.map(came))`,
    [
      ...Array(6).fill('TypeError'),
      ...['threw length', 'threw item', 'RangeError', 'TypeError', 'threw next', 'threw last'],
    ],
  ],
  [
    'ends what it goes through when a map, an item or the list fails, and waits for that',
    `const results = []
const each = async (name, make) => { steps.length = 0; results.push([name, await came(make()), ...steps]) }
const one = () => [{ value: 1, done: false }], slow = () => later({ get value() { steps.push('value') } }).finally(() => steps.push('ended'))
class Closed { constructor() { return Object.freeze([]) } static from = Array.fromAsync }
const bad = () => { throw 'map' }
await each('map', () => Array.fromAsync(async(watched(one(), slow)), bad))
await each('later', () => Array.fromAsync(async(watched(one(), slow)), async () => { await 0; throw 'map' }))
await each('sync map', () => Array.fromAsync(sync(watched(one(), () => ({ value: later().then(() => steps.push('waited')) }))), bad))
await each('sync item', () => Array.fromAsync(sync(watched([{ value: Promise.reject('item'), done: false }], () => ({ value: 1 })))))
await each('list', () => Closed.from(async(watched(one(), slow))))
await each('end throws', () => Array.fromAsync(async(watched(one(), () => { throw 'end' })), bad))
await each('end rejects', () => Array.fromAsync(async(watched(one(), async () => { throw 'end' })), bad))
await each('end is none', () => Array.fromAsync(sync(watched(one(), () => 1)), bad))
await each('next throws', () => Array.fromAsync(async({ ...watched([]), next() { throw 'next' } })))
await each('step is none', () => Array.fromAsync(sync(watched([1]))))
await each('value throws', () => Array.fromAsync(sync(watched([{ done: false, get value() { throw 'value' } }]))))
await each('ends well', () => Array.fromAsync(async(watched([later({ done: true })]))))
return results`,
    [
      ['map', 'threw map', 'next', 'return 0', 'ended'],
      ['later', 'threw map', 'next', 'return 0', 'ended'],
      ['sync map', 'threw map', 'next', 'return 0', 'waited'],
      ['sync item', 'threw item', 'next', 'return 0'],
      ['list', 'TypeError', 'next', 'return 0', 'ended'],
      ['end throws', 'threw map', 'next', 'return 0'],
      ['end rejects', 'threw map', 'next', 'return 0'],
      ['end is none', 'threw map', 'next', 'return 0'],
      ['next throws', 'threw next'],
      ['step is none', 'TypeError', 'next'],
      ['value throws', 'threw value', 'next'],
      ['ends well', [], 'next'],
    ],
  ],
  [
    'makes what it is called on, if that makes anything',
    `const log = []
class Mine extends Array { constructor(...args) { super(...args); log.push(args) } }
const plain = function (...args) { this.made = args; Object.defineProperty(this, 'length', { set(n) { log.push('length ' + n) } }) }
const a = await Mine.fromAsync([1, 2]), b = await Array.fromAsync.call(plain, { length: 1, 0: 'x' })
const others = await Promise.all([undefined, {}, () => {}, { m() {} }.m, new Proxy(Mine, {})].map(make => Array.fromAsync.call(make, [7])))
return [a instanceof Mine, [...a], b.made, b[0], others.map(made => made.constructor.name), log]`,
    [true, [1, 2], [1], 'x', ['Array', 'Array', 'Array', 'Array', 'Mine'], [[], 'length 1', []]],
  ],
]

describe('Array.fromAsync', () => {
  test.each(programs)('%s', async (_, program, expected) => {
    expect(await returned(HELPERS + program)).toEqual(expected)
  })

  test('works on in a program that has replaced all that it could use', async () => {
    const program = `const { fromAsync } = Array, heard = []
const hear = name => function () { heard.push(name) }
class Plain {}
const list = { length: 2, 0: 'a', 1: 'b' }, text = new String('de')
Promise.prototype.then = hear('then')
for (const [owner, names] of [[Reflect, ['apply', 'construct', 'set']], [Object, ['defineProperty']], [Math, ['min', 'trunc']]])
  for (const name of names) owner[name] = hear(name)
globalThis.Promise = globalThis.Proxy = globalThis.Array = globalThis.TypeError = globalThis.Symbol = hear('global')
for (const name of ['construct', 'get', 'set']) Object.prototype[name] = hear(name)
const fromText = fromAsync.call(Plain, text, x => x + x), fromList = fromAsync.call(Plain, list, x => x)
const made = [await fromList, await fromText].map(plain => ({ ...plain }))
for (const name of ['construct', 'get', 'set']) delete Object.prototype[name]
return [made, heard]`
    const own = { 0: 'a', 1: 'b', length: 2 }
    expect(await returned(program)).toEqual([[own, { 0: 'dd', 1: 'ee', length: 2 }], []])
  })
})

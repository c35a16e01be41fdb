import { describe, expect, test } from 'vitest'
import { returned, run } from './support/run-code.js'

/** Programs, and what the host makes of them too where it has what they use. */
const programs: readonly (readonly [string, string, unknown])[] = [
  [
    'a text spreads into an object, by itself and beside others',
    `const { 0: first, ...rest } = 'abc'
return [{ ...'ab' }, { a: 1, ...'b' }, { ...('x'.repeat(2) + first) }, { ...new String('q') }, { ...5 }, { ...null }, rest, { ...'é😀' }]`,
    [
      { 0: 'a', 1: 'b' },
      { a: 1, 0: 'b' },
      { 0: 'x', 1: 'x', 2: 'a' },
      { 0: 'q' },
      {},
      {},
      { 1: 'b', 2: 'c' },
      { 0: 'é', 1: '\ud83d', 2: '\ude00' },
    ],
  ],
  [
    'asUintN takes a negative number for its bits',
    `return [[64, -1n], [32, -1n], [64, ~5n], [33, -1n], [128, -1n], [8, -1n], [0, -1n], [64, 5n], [64, 2n ** 64n + 1n], ['3', true], [1.9, 3n]]
  .map(([bits, n]) => String(BigInt.asUintN(bits, n)))`,
    [
      '18446744073709551615',
      '4294967295',
      '18446744073709551610',
      '8589934591',
      '340282366920938463463374607431768211455',
      '255',
      '0',
      '5',
      '1',
      '1',
      '1',
    ],
  ],
  [
    'asUintN refuses what it should, and is like any method',
    `const fails = f => { try { f() } catch (e) { return e.name } }
const { name, length } = BigInt.asUintN
return [fails(() => BigInt.asUintN(-1, 1n)), fails(() => BigInt.asUintN(8, 1)), fails(() => BigInt.asUintN(1n, 1n)), fails(() => new BigInt.asUintN(8, 1n)),
  name, length, Object.keys(BigInt).includes('asUintN')]`,
    ['RangeError', 'TypeError', 'TypeError', 'TypeError', 'asUintN', 2, false],
  ],
  [
    'what is asked of an async generator is answered after it has ended too',
    `async function* g() { yield 1 }
const it = g(), other = g()
const all = [it.next(), it.next(), it.next(), it.next(), it.return(5), it.next()]
all.push(other.return(7), other.next(), other.return(Promise.resolve(8)), other.next())
return (await Promise.all(all)).map(({ value = null, done }) => [value, done])`,
    [
      [1, false],
      [null, true],
      [null, true],
      [null, true],
      [5, true],
      [null, true],
      [7, true],
      [null, true],
      [8, true],
      [null, true],
    ],
  ],
  [
    'variables of a catch pattern are not there before they are read',
    `let x = 5
const fails = f => { try { return f() } catch (e) { return e.name } }
const made = []
for (const i of [1, 2]) try { throw { i } } catch ({ i, late = () => i }) { made.push(late()) }
return [fails(() => { try { throw {} } catch ({ y = x, x }) { return [y, x] } }), fails(() => { try { throw {} } catch ({ c = c }) { return 'no' } }),
  fails(() => { try { throw { a: 1 } } catch ({ a, b = a }) { return b } }), made]`,
    ['ReferenceError', 'ReferenceError', 1, [1, 2]],
  ],
  [
    'a class in a default has its name for itself',
    `const f = (Base = class Model { id = 1 }, Model) => [new Base().id, typeof Model]
function g(a = class b {}, b) { return [a.name, b] }
const h = (a = { x: class b {} }, { b } = { b: 2 }) => [a.x.name, b]
const twice = ['(a, { a })', '({ a }, { a })', '({ a }, a)', '(a = class b {}, { b }, { b })', '(a = 1, { a } = {})']
return [f(), g(undefined, 1), h(), twice.map(list => { try { return String(eval(list + ' => 1')) } catch (e) { return e.name } })]`,
    [[1, 'undefined'], ['b', 1], ['b', 2], Array(5).fill('SyntaxError')],
  ],
  [
    'a WeakMap takes every object and symbol for a key, and says what it refuses',
    `const k = {}, frozen = Object.freeze({}), symbol = Symbol('s')
const proxy = new Proxy({}, { get() { throw 1 }, has() { throw 2 }, defineProperty() { throw 3 } })
const fails = f => { try { f(); return 'nothing' } catch (e) { return e.name } }
const m = new WeakMap([[Array, 1], [k, 2]]).set(frozen, 3).set(proxy, 4).set(symbol, 5), other = new WeakMap([[k, 'other']])
return [[Array, k, frozen, proxy, symbol].map(key => [m.get(key), m.delete(key), m.has(key), m.delete(key)]), other.get(k),
  m.get(1) === undefined, m.has({}), m.set(k, undefined).has(k),
  fails(() => m.set(1, 1)), fails(() => m.set(Symbol.for('s'), 1)), fails(() => WeakMap()), fails(() => WeakMap.prototype.get.call(new Map(), k)),
  fails(() => new m.get()), fails(() => structuredClone(m))]`,
    [
      [1, 2, 3, 4, 5].map(value => [value, true, false, false]),
      'other',
      true,
      false,
      true,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'DataCloneError',
    ],
  ],
  [
    'a WeakMap is made from what is iterated, which is closed if it cannot be, and by classes of its own',
    `let closed = 0
const endless = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 5 }), return() { closed++; return {} } }) }
const fails = f => { try { f(); return 'nothing' } catch (e) { return e.name } }
class More extends WeakMap { set(key, value) { return super.set(key, value + 1) } }
const k = {}, more = new More([[k, 1]])
return [fails(() => new WeakMap(endless)), closed, fails(() => new WeakMap(1)), fails(() => new WeakMap([1])), new WeakMap(null).has(k),
  more.get(k), more instanceof WeakMap, String(more), WeakMap.length, WeakMap.name, Object.keys(WeakMap.prototype),
  Reflect.ownKeys(WeakMap.prototype).map(String).filter(name => !name.startsWith('getOr')).sort(), Reflect.ownKeys(k)]`,
    [
      'TypeError',
      1,
      'TypeError',
      'TypeError',
      false,
      2,
      true,
      '[object WeakMap]',
      0,
      'WeakMap',
      [],
      ['Symbol(Symbol.toStringTag)', 'constructor', 'delete', 'get', 'has', 'set'],
      [],
    ],
  ],
  [
    'an async generator may be asked while it answers',
    `let it, armed = true
Object.defineProperty(Object.prototype, 'then', { configurable: true, get() { if (!it || !armed) return; armed = false; it.return() } })
async function* g() { yield 1 }
it = g(); it.next()
await 0; await 0; await 0
delete Object.prototype.then
return [armed, (await it.next()).done]`,
    [false, true],
  ],
]

describe('as elsewhere', () => {
  test.each(programs)('%s', async (_what, program, value) => {
    expect(await returned(program)).toEqual(value)
    const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>
    expect(await new AsyncFunction(`'use strict'\n${program}`)()).toEqual(value)
  })
})

// Not every host that runs this has helpers of iterators.
test.each([
  ['map', 'x => [x]', [1]],
  ['filter', '() => true', 1],
  ['take', '2', 1],
  ['drop', '1', 2],
  ['flatMap', 'x => [x, x]', 1],
])('a loop over %s of an array, a map or a set may be left', async (helper, argument, first) => {
  const program = `const seen = []
for (const it of [[1, 2, 3].values(), new Set([1, 2, 3]).values(), new Map([[1, 0], [2, 0]]).keys()]) {
  const helped = it.${helper}(${argument})
  for (const x of helped) { seen.push(x); break }
  seen.push(helped.next().done)
}
const [one] = [1, 2].values().${helper}(${argument})
const closed = []
const own = { next: () => ({ done: false, value: 1 }), return() { closed.push('closed'); return {} }, __proto__: Iterator.prototype }
for (const x of own.${helper}(${argument})) break
return [...seen, one, ...closed]`
  expect(await returned(program)).toEqual([first, true, first, true, first, true, first, 'closed'])
})

test('a function of more blocks than the engine can number ends, and one of as many as it can is right', async () => {
  const program = (blocks: number) => `const s = 'let x = 1;' + '{;}'.repeat(${blocks}) +
  '{ let x = 2; { let y = 3; r.push(x) } } r.push(x); { let x = 4; { r.push(x) } } r.push(x)'
const r = []; new Function('r', s)(r); return r`
  expect(await returned(program(65_000))).toEqual([2, 1, 4, 1])
  expect((await run(program(65_536))).error?.kind).toBe('memory')
})

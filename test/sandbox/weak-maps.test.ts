import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

const turns = (times: number, body: string): string =>
  `let n = 0; for (let i = 0; i < ${times}; i++) { ${body} } return n`

describe('an entry of a WeakMap ends with its key or its map, whichever ends first', () => {
  test.each([
    ['a value that leads to its key', 'const k = {}; shared.set(k, { k, b }); n += shared.get(k).b.length'],
    ['a value that is its key', 'const k = { b }; shared.set(k, k); n += shared.get(k).b.length'],
    ['a map that ends before its key', 'const m = new WeakMap(); m.set(key, b); n += m.get(key).length'],
    [
      'a value that leads to its map, of a key that is there',
      'const m = new WeakMap(); m.set(key, { m, b }); n += m.get(key).b.length',
    ],
    ['a map that is its own key', 'const m = new WeakMap(); m.set(m, { m, b }); n += m.get(m).b.length'],
    [
      'a value that leads to the key of the next entry, and that one to the first key',
      'const k = {}, l = {}; shared.set(k, { l }); shared.set(l, { k, b }); n += shared.get(l).b.length',
    ],
    [
      'entries of two maps that lead to each other',
      'const m = new WeakMap(), k = {}; shared.set(k, { m }); m.set(key, { k, b }); n += m.get(key).b.length',
    ],
    [
      'a text of a key that leads back to itself',
      'const k = {}; k.k = k; shared.set(k, "x".repeat(1e6) + i); n += shared.get(k).slice(0, 1e6).length',
    ],
    [
      'a frozen key, a proxy and a function',
      'const k = [Object.freeze({}), new Proxy({}, {}), () => k][i % 3]; shared.set(k, { k, b }); n += shared.get(k).b.length',
    ],
    [
      'a symbol that nothing else knows',
      'const k = Symbol(); shared.set(k, { b }); n += shared.get(k).b.length',
    ],
    [
      'an entry that was deleted, and made again',
      'const m = new WeakMap([[key, 1]]); m.delete(key); m.set(key, { m, b }); n += m.get(key).b.length',
    ],
    [
      'a key of a WeakSet',
      'const s = new WeakSet(), k = { s, b }; s.add(k).add(key); n += s.has(k) * k.b.length',
    ],
  ])('%s', async (_what, body) => {
    const program = `const shared = new WeakMap(), key = {}
${turns(200, `const b = new Uint8Array(1e6); ${body}`)}`
    expect(await returned(program)).toBe(200e6)
  })

  test('a copy made with a map of what was seen leaves nothing in what it was made of', async () => {
    const program = `function copy(from, seen = new WeakMap()) {
  if (typeof from !== 'object' || from === null) return from
  if (seen.has(from)) return seen.get(from)
  const made = Array.isArray(from) ? [] : { b: new Uint8Array(1e5) }
  seen.set(from, made)
  for (const key of Object.keys(from)) made[key] = copy(from[key], seen)
  return made
}
const source = { list: [{ i: 1 }, { i: 2 }] }
source.list.push(source)
${turns(2000, 'const made = copy(source); n += made.list[2] === made && made.list.length')}`
    expect(await returned(program)).toBe(6000)
  })
})

test('what entries lead to one after the other is found in the time that it is long', async () => {
  const program = `const hidden = new WeakMap()
class Link { constructor(next) { hidden.set(this, { next }) } get next() { return hidden.get(this).next } }
let first = null, n = 0
for (let i = 0; i < 100_000; i++) first = new Link(first)
for (let link = first; link; link = link.next) n++
return n`
  expect(await returned(program)).toBe(100_000)
})

test('a program that replaced all it could has weak maps all the same', async () => {
  const program = `const { get, set } = WeakMap.prototype, m = new WeakMap(), k = {}
const call = Function.prototype.call.bind(Function.prototype.call)
globalThis.WeakMap = globalThis.WeakRef = globalThis.Map = globalThis.Reflect = undefined
Object.prototype.get = Array.prototype[0] = () => 'mine'
call(set, m, k, 5)
return call(get, m, k)`
  expect(await returned(program)).toBe(5)
})

/**
 * Makes objects and maps that lead to each other at random, keeps some, and compares what is there after collections with what is
 * to be found from these, where an entry leads from its map and its key together to its value.
 */
const graphs = (seed: number, rounds: number): string => `let seed = ${seed}, gone = 0, refused = 0
const wrong = []
const below = n => Math.floor((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32 * n)
const kinds = [() => ({}), () => [], () => function () {}, () => new Proxy({}, {}), () => new Map()]
for (let round = 0; round < ${rounds}; round++) {
  const count = 2 + below(40)
  const isMap = Array.from({ length: count }, () => below(5) < 2)
  let nodes = isMap.map(is => is ? new WeakMap() : kinds[below(kinds.length)]())
  const edges = isMap.map(() => [])
  const entries = new Map()
  for (let left = below(count * 1.5); left > 0; left--) {
    const from = below(count), to = below(count), name = 'to' + edges[from].length
    if (nodes[from] instanceof Map) nodes[from].set(name, nodes[to])
    else nodes[from][name] = nodes[to]
    edges[from].push(to)
  }
  for (let left = below(count * 3); left > 0; left--) {
    const map = below(count), key = below(count), value = below(count), what = below(8)
    if (!isMap[map]) continue
    entries.delete(map + ',' + key)
    if (what === 0) nodes[map].delete(nodes[key])
    else if (what === 1) nodes[map].set(nodes[key], 'text' + value)
    else {
      nodes[map].set(nodes[key], nodes[value])
      entries.set(map + ',' + key, [map, key, value])
    }
  }
  const refs = nodes.map(node => new WeakRef(node))
  const kept = [], found = new Set()
  for (let i = 0; i < count; i++) if (below(5) === 0) { kept.push(nodes[i]); found.add(i) }
  nodes = null
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const from of found) for (const to of edges[from]) found.add(to)
    for (const [map, key, value] of entries.values()) if (found.has(map) && found.has(key)) found.add(value)
  }
  await 0; await 0
  const room = new Uint8Array(3e7)
  for (let i = 0; i < 3; i++) try { new Uint8Array(5e7) } catch { refused++ }
  await 0
  for (let i = 0; i < count; i++) {
    const node = refs[i].deref()
    if (node === undefined) gone++
    if ((node !== undefined) !== found.has(i)) wrong.push([round, i, node !== undefined])
  }
  for (const [map, key, value] of entries.values())
    if (found.has(map) && found.has(key) && refs[map].deref()?.get(refs[key].deref()) !== refs[value].deref())
      wrong.push([round, map, key, value])
  await 0; await 0
}
return { wrong, refused, hasGone: gone > 300 }`

test.each([1, 2, 3, 4])(
  'what is there is what can be found from what is kept, in random graphs of seed %i',
  async seed => {
    expect(await returned(graphs(seed * 7919, 50))).toEqual({ wrong: [], refused: 150, hasGone: true })
  },
)

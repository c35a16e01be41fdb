import type { CodeRunOutcome } from 'toolgate/quickjs'

const HIDDEN: { readonly [name: string]: string } = {
  GeneratorFunction: '(function* () {}).constructor',
  AsyncFunction: '(async () => {}).constructor',
  AsyncGeneratorFunction: '(async function* () {}).constructor',
  generator: '(function* () {})()',
  asyncGenerator: '(async function* () {})()',
  arrayIterator: '[].values()',
  mapIterator: 'new Map().entries()',
  setIterator: 'new Set().values()',
  stringIterator: '""[Symbol.iterator]()',
  matches: '"".matchAll(/x/g)',
  iteratorHelper: '[].values().map(x => x)',
  wrappedIterator: 'Iterator.from({ next() { return { done: true } } })',
  call: 'tools.echo',
  promiseOfCall: 'tools.echo(1)',
}

// How a program gets at a member or a prototype again once it knows where it is.
const LOOK_UP = 'const own = Object.getOwnPropertyDescriptor, up = Object.getPrototypeOf\n'

/** One function that a program can reach: its name, and the expression that gives it. */
export type Reachable = readonly [path: string, expression: string]

/** Returns every function that a program can reach, as `Reachable`. It needs a function `tools.echo`. */
export const LIST_FUNCTIONS: string = `${LOOK_UP}
const found = []
const seen = new Set()
const queue = []
const visit = (value, path, expression) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.add(value)
  queue.push([value, path, expression])
}
visit(globalThis, '', 'globalThis')
${Object.entries(HIDDEN)
  .map(([name, expression]) => `visit(${expression}, '${name}', ${JSON.stringify(expression)})`)
  .join('\n')}
for (let i = 0; i < queue.length; i++) {
  const [object, path, expression] = queue[i]
  if (typeof object === 'function') found.push([path, expression])
  visit(Object.getPrototypeOf(object), path + '.__proto__', 'up(' + expression + ')')
  for (const key of Reflect.ownKeys(object)) {
    let d
    try { d = own(object, key) } catch {}
    if (d === undefined) continue
    const shown = typeof key === 'symbol' ? '[' + key.description + ']' : key
    const at = (path === '' ? '' : path + '.') + shown
    const member = 'own(' + expression + ',' + (typeof key === 'symbol' ? key.description : JSON.stringify(key)) + ')'
    visit(d.value, at, member + '.value')
    visit(d.get, 'get ' + at, member + '.get')
    visit(d.set, 'set ' + at, member + '.set')
  }
}
return found`

const RECEIVERS: { readonly [name: string]: string } = {
  nothing: 'undefined',
  'an array-like of the greatest length': '{ length: 2 ** 53 - 1, 0: 1, 5: 2 }',
  'a sparse array': 'Object.assign([1, , 2], { length: 2 ** 32 - 1, toString: () => "1" })',
  'a proxy of a long array-like':
    'new Proxy({ length: 2 ** 53 - 1, size: 2 ** 40, has: () => true, keys: () => [].values() }, {})',
  'a proxy whose traps throw':
    'new Proxy(function () {}, { get() { throw 1 }, has() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } })',
  'a proxy that answers anything':
    'new Proxy(function () {}, { get: (t, k, r) => k === "length" ? 1e9 : r, apply: () => 1, construct: () => [] })',
  'an array': 'new Array(2000).fill(3)',
  'a typed array': 'new Float64Array(1e5).fill(-1)',
  'a typed array without its buffer':
    '(() => { const t = new Uint8Array(64); t.buffer.transfer?.(); return t })()',
  'a buffer that changes its size': 'resizable()',
  'a typed array on such': 'new Uint32Array(resizable())',
  'a view': 'new DataView(new ArrayBuffer(64))',
  'a long text': '"ab".repeat(3e5)',
  'a map': 'new Map([[1, 2], [3, 4], [{}, 6]])',
  'a set': 'new Set([1, 2, 3, {}])',
  'a large number': '3n ** 20000n',
  'a regular expression': '/(a+)+$|(?:b|c)*?d/g',
  'a date': 'new Date(8.64e15)',
  'a generator': '(function* () { for (;;) yield 1 })()',
  'an iterator without end': 'Iterator.from({ next: () => ({ value: 1, done: false }) })',
  'a promise': 'Promise.resolve(1)',
  'its own class': 'fn.prototype ?? fn',
}

const ARGUMENTS: { readonly [name: string]: string } = {
  nothing: '[]',
  'the greatest lengths': '[2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1]',
  'large numbers': '[2 ** 32 - 1, 2 ** 31, -(2 ** 31)]',
  'negative and fractional numbers': '[-1, 0.5, NaN]',
  'array-likes': '[{ length: 2 ** 53 - 1 }, { length: 2 ** 32 - 1 }]',
  'sparse arrays': '[Object.assign([], { length: 2 ** 32 - 1, toString: () => "1" }), [1, , 3]]',
  'long texts': '["ab".repeat(2e5), "b".repeat(1e5), "ab".repeat(1e5)]',
  'a pattern and a text': '[/(a+)+$/, "a".repeat(200) + "b"]',
  'callbacks that throw': '[() => { throw 1 }, () => { throw 2 }]',
  'callbacks that call it again': '[function again() { return fn.call(self, again, 1) }, 1]',
  'callbacks that change what it works on':
    '[(...x) => { grow(self); shrink(self); return x.length }, (a, b) => { shrink(self); return 1 }]',
  'objects that change it when they are read':
    '[{ valueOf() { shrink(self); return 3 }, toString() { grow(self); return "1" } }, { valueOf() { shrink(self); return 1e9 } }]',
  itself: '[self, self, self]',
  'large integers': '[2n ** 5000n, -(3n ** 3000n)]',
  'an iterator without end': '[(function* () { for (;;) yield [1, 2] })(), x => x]',
  'an object and a key': '[{ a: 1 }, "a", { value: 1, get: undefined }]',
}

const SWEEP = `
const resizable = () => {
  try { return new ArrayBuffer(64, { maxByteLength: 1e6 }) } catch { return new ArrayBuffer(64) }
}
const shrink = o => {
  try { if (Array.isArray(o)) o.length = 1 } catch {}
  try { (o?.buffer ?? o)?.resize?.(8) } catch {}
  try { o?.clear?.() } catch {}
}
const grow = o => {
  try { if (Array.isArray(o)) o.push(1, 2, 3) } catch {}
  try { (o?.buffer ?? o)?.resize?.(5e5) } catch {}
  try { o?.add?.(o.size) } catch {}
}
const say = console.log
const receivers = [${Object.values(RECEIVERS).map(r => `() => (${r})`)}]
const given = [${Object.values(ARGUMENTS).map(a => `self => (${a})`)}]
const use = result => {
  if (typeof result?.next === 'function') for (let i = 0; i < 3; i++) result.next()
  if (typeof result?.then === 'function') result.then(() => {}, () => {})
}
let at = 0
for (const receiver of receivers)
  for (const args of given) {
    if (at++ < from || (at - 1) % every !== first) continue
    say(at - 1)
    try { const self = receiver(); use(Reflect.apply(fn, self, args(self))) } catch {}
  }
for (const args of given) {
  if (at++ < from || (at - 1) % every !== first) continue
  say(at - 1)
  try { use(Reflect.construct(fn, args(fn))) } catch {}
}
for (let i = 0; i < 10; i++) await null
return 'done'`

const receivers = Object.keys(RECEIVERS)
const given = Object.keys(ARGUMENTS)

/** Which ways of calling a function a sweep goes: each so-manieth, and from which on. All by default. */
export interface Thinned {
  readonly every: number
  readonly first: number
}

/** Calls a function in these ways, from one way on. It prints the number of each way before it goes it. */
const sweepFrom = ([, expression]: Reachable, from: number, { every, first }: Thinned): string =>
  `${LOOK_UP}const fn = ${expression}\nconst from = ${from}, every = ${every}, first = ${first}\n${SWEEP}`

/** One program of a sweep: how it was calling the function when it ended, and how it ended. */
export interface SweepStep {
  readonly what: string
  readonly outcome: CodeRunOutcome
}

const WAYS = (receivers.length + 1) * given.length

function describeWay(path: string, way: number): string {
  const receiver = receivers[Math.floor(way / given.length)]
  return `${receiver === undefined ? 'new ' : ''}${path} with ${given[way % given.length]}${receiver === undefined ? '' : ` on ${receiver}`}`
}

/** Calls a function in every way; what ends the program is gone past by another one. */
export async function* sweep(
  fn: Reachable,
  run: (program: string) => Promise<CodeRunOutcome>,
  thinned: Thinned = { every: 1, first: 0 },
): AsyncGenerator<SweepStep> {
  for (let from = 0; from < WAYS; ) {
    const outcome = await run(sweepFrom(fn, from, thinned))
    const last = Math.max(from, ...outcome.logs.map(Number).filter(Number.isInteger))
    yield { what: describeWay(fn[0], last), outcome }
    if (outcome.value === 'done') return
    from = last + 1
  }
}

import { type Escape, fails, gives } from './escape.js'

const everything = `[Object, Function, Array, String, Number, Boolean, Symbol, Promise, Proxy, RegExp, Date, Error, TypeError, Map, Set,
  WeakMap, WeakSet, JSON, Math, Reflect, BigInt, ArrayBuffer, Uint8Array, DataView, Iterator]`
/** Replaces every method of every class by one that throws, in ways that need none of them. */
const poisonAll = `const hurt = function () { throw 'evil' }
{
  const { ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
  const classes = ${everything}
  for (let i = 0; i < classes.length; i++) for (let k = 0; k < 2; k++) {
    const o = k === 0 ? classes[i] : classes[i].prototype
    if (o === undefined) continue
    const keys = ownKeys(o)
    for (let j = 0; j < keys.length; j++) {
      const d = getOwnPropertyDescriptor(o, keys[j])
      if (keys[j] === 'prototype' || !d.configurable) continue
      try { defineProperty(o, keys[j], { __proto__: null, value: hurt, configurable: true, writable: true }) } catch {}
    }
  }
}`
const catchAll = (names: string): string => `let seen = []
for (const key of ${names}) for (const p of [Object.prototype, Array.prototype, Function.prototype, String.prototype, Error.prototype])
  Object.defineProperty(p, key, { __proto__: null, configurable: true, set(v) { seen.push([key, typeof v]) }, get() { seen.push([key]) } })`

/** Sees whatever is put into an array that knows no such place, by a proxy that says it has none. */
const watchArrays = (body: string): string => `let on = false
Object.setPrototypeOf(Array.prototype, new Proxy({}, {
  has: () => false,
  get: (t, k) => Object.prototype[k],
  set(t, k, v, r) {
    if (on && typeof v === 'object' && v !== null) { on = false; ${body} }
    return Reflect.defineProperty(r, k, { __proto__: null, value: v, configurable: true, enumerable: true, writable: true })
  },
}))
on = true
`

/** Ways to make the line between guest and host carry something else than it says. */
export const BOUNDARY: readonly Escape[] = [
  gives(
    'a result changed after it was checked, through a proxy above arrays',
    `${watchArrays('v.n = NaN; v.m = new Map(); v.z = -0')}return { a: 1 }`,
    { a: 1 },
  ),
  gives(
    'arguments changed after they were checked, through a proxy above arrays',
    `${watchArrays('v.extra = "not checked"; v.c.toJSON = () => { globalThis.seen = 1 }')}return [await tools.echo({ c: {} }), globalThis.seen ?? 0]`,
    [{ c: {} }, 0],
    ['echo'],
  ),
  gives(
    'a value made deep after it was checked, through a proxy above arrays',
    `${watchArrays('let d = v; for (let i = 0; i < 30_000; i++) d = d.x = {}')}return { a: 1 }`,
    { a: 1 },
  ),
  gives(
    'everything replaced before a call',
    `${poisonAll}\nreturn await tools.echo({ a: [1, 'x', null, true] })`,
    { a: [1, 'x', null, true] },
    ['echo'],
  ),
  gives(
    'everything replaced between calls',
    `const a = await tools.echo(1)\n${poisonAll}\nconst b = await tools.echo({ b: [2] })\nreturn [a, b]`,
    [1, { b: [2] }],
    ['echo', 'echo'],
  ),
  gives(
    'everything replaced while a call is under way',
    `const p = tools.echo([1])\n${poisonAll}\nreturn await p`,
    [1],
    ['echo'],
  ),
  gives(
    'everything replaced before a failure is caught',
    `${poisonAll}\ntry { await tools.fail() } catch (e) { return [e.code, e.message, e instanceof ToolCallError] }`,
    ['BAD', 'it failed', true],
    ['fail'],
  ),
  {
    ...gives(
      'everything replaced before printing',
      `${poisonAll}\nconsole.log({ a: [1] }, 'x')\nreturn 1`,
      1,
    ),
    logs: ['{"a":[1]} x'],
  },
  gives(
    'everything deleted',
    `const go = tools.echo
for (const k of Reflect.ownKeys(globalThis)) try { delete globalThis[k] } catch {}
return await go({ a: 1 })`,
    { a: 1 },
    ['echo'],
  ),
  gives(
    'everything frozen',
    `for (const c of ${everything}) { Object.freeze(c); if (c.prototype) Object.freeze(c.prototype) }
Object.freeze(globalThis); Object.freeze(tools); Object.freeze(console)
try { await tools.fail() } catch (e) { return [e.code, await tools.echo([1])] }`,
    ['BAD', [1]],
    ['fail', 'echo'],
  ),
  gives(
    'setters for indices',
    `${catchAll("['0', '1', '2', '10', 'length']".replace(", 'length'", ''))}\nawait tools.echo({ k: [1, [2, [3]]] }); console.log([1, 2]); return seen`,
    [],
    ['echo'],
  ),
  gives(
    'setters for the words of descriptors and messages',
    `${catchAll("['value', 'get', 'set', 'writable', 'enumerable', 'configurable', 'id', 'name', 'resolve', 'reject', 'stack', 'path', 'what', 'source', 'keys', 'copy', 'parent', 'depth', 'at', 'count', 'message', 'properties', 'code', 'line', 'text', 'global', 'functions', 'open', 'errorClass']".replace("'name', ", '').replace("'message', ", ''))}
await tools.echo({ a: 1 }); try { await tools.fail() } catch {} console.log({ a: 1n })
return seen.filter(([k, t]) => t === 'function')`,
    [],
    ['echo', 'fail'],
  ),
  gives(
    'toJSON everywhere',
    `let n = 0
for (const p of [Object, Array, String, Number, Boolean, Function].map(c => c.prototype)) p.toJSON = () => { n++; return 'forged' }
return [await tools.echo({ a: ['b', 1, true] }), n]`,
    [{ a: ['b', 1, true] }, 0],
    ['echo'],
  ),
  gives(
    'a promise’s own then that lies',
    `const p = tools.echo(1); let got = []
try { p.then = f => f('forged') } catch (e) { got.push(e.name) }
got.push(await p); return got`,
    ['TypeError', 1],
    ['echo'],
  ),
  gives(
    'then and constructor of all promises replaced',
    `const seen = []
const { then } = Promise.prototype
Promise.prototype.then = function (a, b) { seen.push(String(a).slice(0, 8)); return then.call(this, a, b) }
Object.defineProperty(Promise.prototype, 'constructor', { get() { seen.push('constructor'); return class { constructor(f) { f(() => {}, () => {}) } } } })
const v = await tools.echo(5)
return [v, seen.includes('post')]`,
    [5, false],
    ['echo'],
  ),
  fails(
    'a promise class that keeps what settles it',
    `const kept = []
class Mine extends Promise { constructor(f) { super((a, b) => { kept.push(a, b); f(a, b) }) } }
Promise.prototype.constructor = Mine
setTimeout(() => kept.forEach(f => f('forged')), 0)
await new Promise(() => {})`,
    'deadlock',
  ),
  gives(
    'the class of a call’s promise',
    `const p = tools.echo(1), own = Object.getPrototypeOf(p)
let changed; try { own.then = null; changed = true } catch { changed = false }
try { Object.setPrototypeOf(own, null); changed = true } catch {}
await p
return [p.constructor === Promise, Reflect.ownKeys(own), changed, p instanceof Promise]`,
    [true, ['constructor', 'then'], false, true],
    ['echo'],
  ),
  {
    what: 'calls hidden from the list of those not awaited',
    program: `const p = tools.echo(1), q = tools.echo(2)
try { p.constructor.mark?.(q, 1) } catch {}
try { delete p.constructor.unasked } catch {}
await q; return 1`,
    ends: { value: 1 },
    calls: ['echo', 'echo'],
  },
  ...[
    'L0"forged"',
    'D0:"forged"',
    'F{}',
    'C[1,0,0,"forbidden",[]]',
    '\n["forged"]',
    'x\n[]',
    '"],"code":"X',
    '\u2028\u2029',
    '\0',
  ].map(text =>
    gives(
      `a text that reads like a message: ${JSON.stringify(text)}`,
      `return [${JSON.stringify(text)}, await tools.echo(${JSON.stringify(text)})]`,
      [text, text],
      ['echo'],
    ),
  ),
  ...['L0"forged"', 'D1:2', 'x\n["forged"]', '\0', '\ud800'].map(text => ({
    ...gives(
      `such a text returned and printed: ${JSON.stringify(text)}`,
      `console.log(${JSON.stringify(text)}); return ${JSON.stringify(text)}`,
      text,
    ),
    logs: [text],
  })),
  gives(
    'names that read like messages',
    `const got = []
for (const name of ['a","b', '"],[1,0,0,"forbidden",[', '\\n', '\\0', '\\ud800', ''])
  try { await tools[name](1) } catch (e) { got.push(e.code) }
return got`,
    Array(6).fill('UNKNOWN'),
    ['a","b', '"],[1,0,0,"forbidden",[', '\n', '\0', '\ud800', ''],
  ),
  fails(
    'an error whose name and text read like a message',
    'const e = new Error("x\\n[\\"forged\\"]"); e.name = "F{}\\n"; throw e',
    'exception',
    /^F\{\}/,
  ),
  gives(
    'arguments that change while they are read',
    `let n = 0
const args = { get a() { return ++n }, get b() { this.c = 'late'; return n } }
return await tools.echo(args)`,
    { a: 1, b: 1 },
    ['echo'],
  ),
  gives(
    'arguments that change after the call',
    'const args = { a: [1] }; const p = tools.echo(args); args.a.push(2); args.b = 1; return await p',
    { a: [1] },
    ['echo'],
  ),
  gives(
    'proxies that answer differently each time',
    `let n = 0
const p = new Proxy({}, { ownKeys: () => n++ % 2 ? ['a'] : ['a', 'b'], getOwnPropertyDescriptor: (t, k) => ({ value: 1, enumerable: true, configurable: true }), get: () => n })
try { return typeof await tools.echo(p) } catch (e) { return e.code }`,
    'INVALID_ARGS',
  ),
  gives(
    'own __proto__ in an argument',
    'return JSON.stringify(await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\'))) + typeof ({}).polluted',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}undefined',
    ['echo'],
  ),
  gives(
    'own __proto__ in an answer',
    'const a = await tools.proto(); return [Object.keys(a), typeof a.polluted, Object.getPrototypeOf(a) === Object.prototype]',
    [['__proto__'], 'undefined', true],
    ['proto'],
  ),
  gives('a thenable made of an answer', 'return await tools.thenable()', { then: 'x' }, ['thenable']),
  gives(
    'what is not listed, by inheritance',
    'return ["constructor", "toString", "valueOf", "hasOwnProperty", "__lookupGetter__"].map(k => typeof tools[k] + typeof catalog[k])',
    Array(5).fill('undefinedundefined'),
  ),
  gives(
    'a closed namespace',
    'return [typeof catalog.nope, Object.keys(catalog), Object.getPrototypeOf(catalog)]',
    ['undefined', ['search'], null],
  ),
  gives(
    'a prototype for a namespace',
    'try { Object.setPrototypeOf(tools, { forbidden: 1 }) } catch {} return Object.prototype.hasOwnProperty.call(tools, "forbidden")',
    false,
  ),
  gives(
    'the error class replaced by the program',
    `globalThis.ToolCallError = class { constructor() { throw 'evil' } }
try { await tools.fail() } catch (e) { return [e.name, e.code] }`,
    ['ToolCallError', 'BAD'],
    ['fail'],
  ),
  gives(
    'the error class given another parent',
    `Object.setPrototypeOf(ToolCallError, class { constructor() { throw 'evil' } })
try { await tools.fail() } catch (e) { return [e.name, e.code, e.message] }`,
    ['ToolCallError', 'BAD', 'it failed'],
    ['fail'],
  ),
  fails(
    'the list of calls too many',
    `const { add, has } = WeakSet.prototype
WeakSet.prototype.has = () => true
throw new ToolCallError('x')`,
    'exception',
  ),
  gives(
    'a call by a getter while its object is printed',
    'const seen = []; console.log({ get a() { seen.push(1); return tools.echo(1) } }); return seen.length > 0',
    true,
  ),
]

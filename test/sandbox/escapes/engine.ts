import { type Escape, fails, gives } from './escape.js'

/** Ways that have led into the memory of JavaScript engines: what changes while the engine works on it. */
export const ENGINE: readonly Escape[] = [
  gives(
    'a shared buffer that grows past what it has',
    `if (typeof SharedArrayBuffer === 'undefined') return 'there is none'
const s = new SharedArrayBuffer(8, { maxByteLength: 2 ** 30 }); s.grow(2 ** 20)
return [...new Uint32Array(s).slice(0, 60)].some(word => word !== 0) ? 'the heap' : 'zeros'`,
    'there is none',
  ),
  gives(
    'a way to shared buffers through what is left',
    `const names = []
for (const key of Reflect.ownKeys(globalThis)) if (/shared|atomics/i.test(String(key))) names.push(String(key))
try { new Uint8Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer); names.push('memory') } catch {}
return names`,
    [],
  ),
  gives(
    'a buffer that loses its memory while an array is made over it',
    `const got = []
for (const change of [b => b.transfer(0), b => b.resize(16), b => structuredClone(b, { transfer: [b] })]) {
  const b = new ArrayBuffer(65536, { maxByteLength: 65536 })
  const NT = new Proxy(Uint32Array, { get(t, k) { if (k === 'prototype') try { change(b) } catch {} return t[k] } })
  try { const w = Reflect.construct(Uint32Array, [b, 0, b.byteLength / 4], NT); got.push(w.length, w.every(x => x === 0)) } catch (e) { got.push(e.name) }
}
return got`,
    [16384, true, 16384, true, 16384, true],
  ),
  gives(
    'a copy of an array whose buffer shrinks meanwhile',
    `const b = new ArrayBuffer(65536, { maxByteLength: 65536 }), t = new Uint8Array(b)
const c = t.with({ valueOf() { try { b.resize(16) } catch {} globalThis.kept = 'MARK'.repeat(500).split(''); return 5 } }, 7)
return [c.length, c.reduce((sum, x) => sum + x, 0)]`,
    [65536, 7],
  ),
  gives(
    'every way to change the length of a buffer',
    `const b = new ArrayBuffer(8, { maxByteLength: 64 }), left = []
for (const name of ['resize', 'grow', 'transfer', 'transferToFixedLength', 'transferToImmutable']) if (typeof b[name] === 'function') left.push(name)
try { structuredClone(b, { transfer: [b] }) } catch (e) { left.push(e.name) }
return [left, b.byteLength]`,
    [['DataCloneError'], 8],
  ),
  ...[
    'Reflect.ownKeys',
    'Object.keys',
    'Object.entries',
    'Object.getOwnPropertyDescriptors',
    'JSON.stringify',
  ].map(list =>
    fails(
      `more keys than 32 bits have room for, by ${list}`,
      `const keys = new Proxy({}, { get: (t, k) => { if (k === 'length') return 2 ** 29 + 1; if (+k === 8) throw new Error('written past the end'); return 'a' + k } })
${list}(new Proxy({}, { ownKeys: () => keys }))`,
      'memory',
    ),
  ),
  ...['with(0, 1)', 'toSpliced(0, 1)'].flatMap(call => [
    fails(
      `a copy of more than 32 bits have room for, by ${call}`,
      `const a = []; a.length = 2 ** 29 + 1; Object.defineProperty(a, 8, { get() { throw new Error('read in its turn') } }); a.${call}`,
      'exception',
      /read in its turn/,
    ),
    fails(
      `a copy of a list that says so, by ${call}`,
      `const a = new Proxy([], { get: (t, k) => { if (k === 'length') return 2 ** 29 + 8192; if (+k === 8) throw new Error('read in its turn'); return 1 } }); Array.prototype.${call.replace('(', '.call(a, ')}`,
      'exception',
      /read in its turn/,
    ),
  ]),
  fails(
    'a copy of more than memory has room for',
    'const a = []; a.length = 2 ** 29 + 1; for (;;) a.toReversed()',
    'memory',
  ),
  gives(
    'an array that shrinks while it is sorted',
    'const a = Array.from({ length: 100 }, (_, i) => 100 - i); a.sort((x, y) => { a.length = 1; return x - y }); return a.every(x => x === undefined || typeof x === "number")',
    true,
  ),
  gives(
    'an array that shrinks while it is spliced',
    'const a = [1, 2, 3, 4]; const r = a.splice(0, { valueOf() { a.length = 1; return 4 } }); return [r.length, a.length]',
    [4, 0],
  ),
  gives(
    'an index that shrinks what it is looked for in',
    'const a = new Array(1000).fill(1); return [a.lastIndexOf(2, { valueOf() { a.length = 0; return 999 } }), a.includes(undefined, { valueOf() { a.length = 0; return 0 } })]',
    [-1, false],
  ),
  gives(
    'concat of a proxy and of a species',
    `class A extends Array { static get [Symbol.species]() { return function () { return Object.preventExtensions([]) } } }
try { new A(1, 2).concat([3]); return 'no error' } catch (e) { return e.name }`,
    'TypeError',
  ),
  gives(
    'a reviver that deletes what comes next',
    'return JSON.parse("[1,2,3,{\\"a\\":1}]", function (k, v) { if (k === "0") { this.length = 1; delete this[3] } return v })',
    [1],
  ),
  gives(
    'a replacer and toJSON that change what is written',
    'const o = { a: { toJSON() { delete o.b; o.c = 1; return 1 } }, b: 2 }; return JSON.stringify(o)',
    '{"a":1}',
  ),
  gives(
    'a buffer that is transferred while it is filled',
    'const t = new Uint8Array(1000); try { t.fill({ valueOf() { t.buffer.transfer?.(0); return 1 } }) } catch (e) { return e.name } return "ended"',
    'ended',
  ),
  gives(
    'a buffer that is resized while it is read',
    `const b = new ArrayBuffer(64, { maxByteLength: 1024 }), t = new Uint8Array(b), v = new DataView(b), got = []
for (const f of [() => t.set([{ valueOf() { b.resize(1); return 1 } }, 2, 3]), () => v.getUint32({ valueOf() { b.resize(0); return 8 } }), () => t.slice({ valueOf() { b.resize(2); return 0 } }), () => t.with(0, { valueOf() { b.resize(0); return 1 } }), () => t.indexOf(1, { valueOf() { b.resize(0); return 0 } })]) {
  b.resize?.(64)
  try { f(); got.push('ended') } catch (e) { got.push(e instanceof Error) }
}
return got.length`,
    5,
  ),
  gives(
    'a typed array of a negative or huge place',
    'return [-1, 2 ** 32, 2 ** 53, NaN, Infinity].map(i => { try { return new Uint8Array(new ArrayBuffer(8), i).length } catch (e) { return e.name } })',
    ['RangeError', 'RangeError', 'RangeError', 8, 'RangeError'],
  ),
  gives(
    'places outside of a view',
    'const v = new DataView(new ArrayBuffer(8)); return [-1, 1, 8, 2 ** 31, 2 ** 32, 2 ** 53].map(i => { try { return v.setFloat64(i, 1) ?? "set" } catch (e) { return e.name } })',
    Array(6).fill('RangeError'),
  ),
  gives(
    'a map that loses entries while it is walked',
    'const m = new Map([1, 2, 3, 4].map(k => [k, k])), seen = []; for (const [k] of m) { seen.push(k); m.clear(); if (k < 3) m.set(k + 10, 0) } return seen',
    [1, 11],
  ),
  gives(
    'a map that is walked by forEach and cleared',
    'const m = new Map([[1, 1], [2, 2]]); let n = 0; m.forEach(() => { n++; m.clear(); if (n < 5) m.set(n, n) }); return n',
    5,
  ),
  gives(
    'a set compared with one that lies',
    'const s = new Set([1, 2, 3]); const r = s.intersection({ size: 1, has: x => { s.clear(); s.add(9); return true }, keys: () => [].values() }); return r.size <= 3',
    true,
  ),
  gives(
    'a generator that runs itself',
    'const g = (function* () { try { g.next() } catch (e) { yield e.name } })(); return g.next().value',
    'TypeError',
  ),
  gives(
    'a generator closed while it runs',
    'const g = (function* () { try { g.return(5) } catch (e) { yield e.name } })(); return g.next().value',
    'TypeError',
  ),
  gives(
    'an async generator asked many times at once',
    'async function* f() { for (let i = 0; i < 3; i++) yield i } const g = f(); return (await Promise.all([g.next(), g.next(), g.return(7), g.next()])).map(r => r.value ?? null)',
    [0, 1, 7, null],
  ),
  gives(
    'a constructor that calls super twice',
    'class A { } class B extends A { constructor() { super(); try { super() } catch (e) { this.name = e.name } } } return new B().name',
    'ReferenceError',
  ),
  gives(
    'private names on what already has them',
    'class Base { constructor(o) { return o } } class A extends Base { #x = 1; static has(o) { return #x in o } } const o = {}; new A(o); try { new A(o) } catch (e) { return [e.name, A.has(o)] }',
    ['TypeError', true],
  ),
  gives(
    'a class field on a proxy',
    'class Base { constructor(o) { return o } } class A extends Base { #x = 1; static get(o) { return o.#x } } const p = new Proxy({}, { get() { throw 1 } }); new A(p); return A.get(p)',
    1,
  ),
  gives(
    'a proxy that breaks the rules',
    `const t = Object.freeze({ a: 1 }), got = []
for (const [h, f] of [[{ get: () => 2 }, p => p.a], [{ ownKeys: () => [] }, p => Object.keys(p)], [{ has: () => false }, p => 'a' in p], [{ getPrototypeOf: () => Array.prototype }, p => Object.getPrototypeOf(p)], [{ isExtensible: () => true }, p => Object.isExtensible(p)], [{ deleteProperty: () => true }, p => delete p.a]])
  try { f(new Proxy(t, h)); got.push('ok') } catch (e) { got.push(e.name) }
return got`,
    Array(6).fill('TypeError'),
  ),
  gives(
    'a list of keys with doubles',
    'try { return Object.keys(new Proxy({}, { ownKeys: () => ["a", "a"] })) } catch (e) { return e.name }',
    'TypeError',
  ),
  gives(
    'a pattern that is changed while it is used',
    'const r = /a/g; r.lastIndex = { valueOf() { r.compile("(b)(c)", "g"); return 0 } }; try { return [r.exec("abc")?.length ?? 0] } catch (e) { return e.name }',
    [3],
  ),
  gives(
    'a pattern that starts beyond the text',
    'return [2 ** 31, 2 ** 32, 2 ** 53, -1].map(i => { const r = /a/g; r.lastIndex = i; return r.test("a") })',
    [false, false, false, true],
  ),
  gives(
    'look-behinds and names that refer to later ones',
    'return ["(?<=(a)(?<b>c))d", "\\\\k<x>(?<x>a)", "(?<=\\\\1(a))b"].map(s => { try { return new RegExp(s).test("acdab") } catch (e) { return e.name } })',
    [true, true, false],
  ),
  fails(
    'a pattern with too many groups',
    'return new RegExp("()".repeat(300)).exec("").length',
    'exception',
    /SyntaxError: too many captures/,
  ),
  gives(
    'patterns that repeat nothing',
    'return [/(?:)*/.test(""), /(?:a*)*b/.test("c"), /(?=)*/.test("x"), /(a?)*?$/.test("aaab")]',
    [true, false, true, true],
  ),
  gives(
    'repetitions of the greatest number',
    'return [/a{4294967295}/, /a{0,4294967296}/, /(?:a{1000}){1000}/].map(r => r.test("a"))',
    [false, true, false],
  ),
  gives(
    'replacements that call back',
    'let n = 0; return "aaa".replace(/a/g, () => { n++; /b/.test("b"); return "aaa".replace(/a/g, "$&$`$\'$0$99") .length }) + n',
    '2424243',
  ),
  gives(
    'texts of the greatest length',
    'return [() => "x".repeat(2 ** 30), () => "x".padEnd(2 ** 31), () => "xx".repeat(2 ** 53 - 1), () => "x".repeat(-1)].map(f => { try { return f().length } catch (e) { return e instanceof Error } })',
    [true, true, true, true],
  ),
  gives(
    'indices of texts',
    'return [-1, 2 ** 32, 2 ** 53, NaN].map(i => ["abc".at(i) ?? null, "abc".charCodeAt(i) || 0, "abc".slice(i), "abc"[i] ?? null])',
    [
      ['c', 0, 'c', null],
      [null, 0, '', null],
      [null, 0, '', null],
      ['a', 97, 'abc', null],
    ],
  ),
  gives(
    'large integers at their edges',
    'return [() => BigInt.asUintN(2 ** 53 - 1, -1n), () => 1n << 2n ** 64n, () => 2n ** -1n, () => 1n / 0n, () => BigInt.asIntN(2 ** 53, 1n)].map(f => { try { f(); return "value" } catch (e) { return e.name } })',
    ['RangeError', 'RangeError', 'RangeError', 'RangeError', 'RangeError'],
  ),
  gives(
    'dates at their edges',
    'return [8.64e15, 8.64e15 + 1, -8.64e15, NaN, Infinity].map(t => { const d = new Date(t); d.setMilliseconds(2 ** 53); return [isNaN(d), String(d).length > 5] })',
    [
      [true, true],
      [true, true],
      [false, true],
      [true, true],
      [true, true],
    ],
  ),
  gives(
    'an arguments object of a sloppy function',
    'return new Function("a", "b", "arguments[0] = 2; delete arguments[1]; arguments.length = 2 ** 32; b = 3; return [a, b, arguments[1] === undefined]")(1, 1)',
    [2, 3, true],
  ),
  gives(
    'with, of a sloppy function',
    'return new Function("o", "with (o) { x = 2; return [x, o.x] }")({ x: 1 })',
    [2, 2],
  ),
  gives(
    'eval in a parameter',
    'return new Function("a = eval(\\"var b = 1; 2\\")", "return [a, typeof b]")()',
    [2, 'number'],
  ),
  gives(
    'destructuring that never ends its iterator',
    'let closed = 0; const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { closed++; return {} } }) }; const [a, b] = it; return [a, b, closed]',
    [1, 1, 1],
  ),
  gives(
    'weak references and their finalizers',
    'const r = new FinalizationRegistry(() => { throw 1 }); for (let i = 0; i < 100; i++) r.register({ i }, i); const w = new WeakRef({}); await null; return [typeof w.deref(), new WeakMap([[{}, 1]]) instanceof WeakMap]',
    ['undefined', true],
  ),
  gives(
    'labels, finally and return together',
    'const f = () => { for (;;) { try { return 1 } finally { break } } return 2 }; return f()',
    2,
  ),
  gives(
    'a promise that is its own answer',
    'let ok; const p = new Promise(r => { ok = r }); ok(p); try { await p } catch (e) { return e.name }',
    'TypeError',
  ),
  gives(
    'a thenable that settles twice and throws',
    'return await { then(ok, no) { ok(1); ok(2); no(3); throw 4 } }',
    1,
  ),
  gives('symbols as keys of what crosses', 'return Object.keys({ [Symbol.iterator]: 1, a: 1 })', ['a']),
]

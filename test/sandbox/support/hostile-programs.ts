const HUGE = '{ length: 2 ** 53 - 1 }'
const named = (programs: { readonly [name: string]: string }): readonly (readonly [string, string])[] =>
  Object.entries(programs)

/** Array methods over an array-like of the greatest length, a huge sparse array, and a long dense one. */
function arrayPrograms(): readonly (readonly [string, string])[] {
  const calls: { readonly [method: string]: string } = {
    indexOf: '1',
    lastIndexOf: '1',
    includes: '1',
    reverse: '',
    copyWithin: '0, 1',
    fill: '0',
    join: '""',
    slice: '0',
    splice: '0, 1',
    unshift: '1',
    shift: '',
    flat: '',
    concat: '[1]',
    forEach: '() => {}',
    map: 'x => x',
    filter: 'x => x',
    find: '() => false',
    findLast: '() => false',
    every: '() => true',
    some: '() => false',
    reduce: '() => 0, 0',
    sort: '',
    toSorted: '',
    toReversed: '',
    with: '0, 1',
    toString: '',
  }
  return Object.entries(calls).flatMap(([method, args]) => {
    const call = (target: string): string =>
      `return Array.prototype.${method}.call(${target}${args && `, ${args}`})`
    return [
      [`${method} of the greatest length`, `for (;;) try { ${call(HUGE).slice(7)} } catch {}`],
      [
        `${method} of a sparse array`,
        `const a = []; a.length = 2 ** 32 - 1; for (;;) try { a.${method}(${args}) } catch {}`,
      ],
      [
        `${method} of a long array`,
        `const a = new Array(1e6).fill(1); for (;;) try { a.${method}(${args}) } catch {}`,
      ],
    ] as const
  })
}

function typedArrayPrograms(): readonly (readonly [string, string])[] {
  const calls = [
    'fill(1)',
    'copyWithin(0, 1)',
    'set(t.subarray(1))',
    'slice()',
    'reverse()',
    'indexOf(9)',
    'sort()',
    'join()',
    'toSorted()',
    'with(0, 1)',
    'map(x => x)',
    'includes(9)',
  ]
  return calls.map(call => [
    `typed array ${call}`,
    `const t = new Uint8Array(2e7); for (;;) try { t.${call} } catch {}`,
  ])
}

/** Loops whose bodies have neither jumps nor calls, from a usual size up to the most that a program may have. */
function straightPrograms(): readonly (readonly [string, string])[] {
  const statement = 'x = x + 1 | 0; '
  return [64, 128, 192, 255].map(kib => [
    `a loop over ${kib} KiB of straight code`,
    `let x = 0; while (true) { ${statement.repeat((kib * 1024 - 40) / statement.length)} }`,
  ])
}

/** Programs that do not end by themselves within any budget worth giving. */
export const ENDLESS: readonly (readonly [string, string])[] = [
  ...arrayPrograms(),
  ...typedArrayPrograms(),
  ...straightPrograms(),
  ...named({
    'an empty loop': 'for (;;) {}',
    'a caught loop': 'for (;;) try { for (;;) {} } catch {} finally { continue }',
    'a loop in an executor behind a catch': 'await new Promise(() => { for (;;) {} }).catch(() => 1)',
    'a generator': 'function* g() { for (;;) yield 1 } for (const x of g()) {}',
    'an async generator': 'async function* g() { for (;;) yield 1 } for await (const x of g()) {}',
    'a promise chain': 'const f = () => Promise.resolve().then(f); await f()',
    'a loop in a getter of the result': 'return { get a() { for (;;) {} } }',
    'a proxy trap': 'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    'straight-line code': `let x = 0; while (true) { ${'x = x + 1 | 0; '.repeat(8000)} }`,
    'straight-line walks along a prototype chain': `let o = {}; for (let i = 0; i < 2e5; i++) o = Object.create(o); while (true) { ${'o.zz; '.repeat(3000)} }`,
    'exponential recursion': 'const f = n => n < 1 ? 0 : f(n - 1) + f(n - 1); return f(60)',
    'regular expression backtracking': 'return /^(a+)+$/.test("a".repeat(60) + "b")',
    'a lazy regular expression': 'for (;;) /(.*?,){11}P/.exec("1,2,3,4,5,6,7,8,9,10,11,12,".repeat(2000))',
    'compiling regular expressions': 'for (;;) new RegExp("(?:a|b)".repeat(2000))',
    'a quadratic search': 'const a = "a".repeat(1e6), b = "a".repeat(5e5) + "b"; for (;;) a.indexOf(b)',
    replaceAll: 'const a = "a".repeat(1e6); for (;;) a.replaceAll("a", "b")',
    'split and join': 'const a = "a,".repeat(5e5); for (;;) a.split(",").join(";")',
    'String.raw of the greatest length': `return String.raw({ raw: ${HUGE} })`,
    'text of a long array': 'for (;;) String(new Array(3e8))',
    'upper case': 'const a = "ß".repeat(1e6); for (;;) a.toUpperCase()',
    normalize: 'const a = "é".repeat(5e5); for (;;) a.normalize("NFD")',
    padEnd: 'for (;;) "".padEnd(1e7, "ab")',
    repeat: 'for (;;) "ab".repeat(5e6)',
    encodeURIComponent: 'const a = "é".repeat(5e5); for (;;) encodeURIComponent(a)',
    localeCompare: 'const a = "é".repeat(5e5); for (;;) a.localeCompare(a + "b")',
    'JSON.parse': 'const t = "[" + "1,".repeat(2e6) + "1]"; for (;;) JSON.parse(t)',
    'JSON.stringify': 'const a = new Array(5e5).fill({ a: 1 }); for (;;) JSON.stringify(a)',
    'JSON.stringify of a graph that unfolds':
      'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return JSON.stringify(a)',
    'flat of a graph that unfolds':
      'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a.flat(Infinity)',
    'join of a graph that unfolds': 'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a.join()',
    'returning a graph that unfolds': 'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a',
    'printing a graph that unfolds':
      'let a = [1n]; for (let i = 0; i < 14; i++) a = [a, a, a, a, a]; console.log(a)',
    'a large power': 'for (;;) 3n ** 500000n',
    'large products': 'const a = 3n ** 300000n; for (;;) a * a',
    'large quotients': 'const a = 3n ** 500000n, b = 3n ** 250000n; for (;;) a / b',
    'large numbers as text': 'const a = 3n ** 500000n; for (;;) a.toString()',
    'large numbers from text': 'const t = "7".repeat(2e5); for (;;) BigInt(t)',
    'a growing map': 'const m = new Map(); for (let i = 0; ; i = (i + 1) % 1e5) m.set(i, i)',
    'a set that grows while it is walked':
      'const s = new Set([1]); for (const x of s) { s.delete(x); s.add(x + 1) }',
    'set operations': 'const s = new Set(Array.from({ length: 2e5 }, (_, i) => i)); for (;;) s.union(s)',
    'Object.assign':
      'const o = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["k" + i, i])); for (;;) Object.assign({}, o)',
    'Object.keys':
      'const o = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["k" + i, i])); for (;;) Object.keys(o)',
    'Object.groupBy': 'const a = new Array(5e5).fill(1); for (;;) Object.groupBy(a, x => x)',
    'Array.from an array-like': `for (;;) try { Array.from({ length: 1e9 }) } catch {}`,
    'iterator helpers': 'for (;;) [1, 2, 3].values().flatMap(() => new Array(1e5)).toArray()',
    spread: 'const a = new Array(5e4).fill(1); for (;;) Math.max(...a)',
    'eval of long source': 'const s = "1;".repeat(5e5); for (;;) (0, eval)(s)',
    'Function of long source': 'for (;;) new Function("a;".repeat(5e5))',
    'allocations that fail': 'for (;;) try { new Uint8Array(1e9) } catch {}',
    'buffers thrown away': 'for (;;) new ArrayBuffer(1e7)',
    'slices of a buffer': 'const b = new ArrayBuffer(2e7); for (;;) b.slice(0)',
    'errors with stacks':
      'const f = n => { try { return n > 0 ? f(n - 1) : new Error("x").stack } catch {} }; for (;;) f(100)',
    'dates from text': 'for (;;) Date.parse("2020-01-01T00:00:00Z".repeat(1000))',
    'numbers from text': 'const t = "1".repeat(3e5); for (;;) Number(t)',
    'collecting cycles':
      'for (;;) { const a = []; for (let i = 0; i < 1e5; i++) { const o = {}; o.o = o; a.push(o) } }',
    'long chains freed': 'for (;;) { let o = null; for (let i = 0; i < 2e5; i++) o = { o } }',
    symbols: 'for (let i = 0; ; i++) Symbol.for("s" + i % 1e5)',
    'destructuring an endless iterator':
      'const [...a] = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }',
    'printing nothing without end': 'for (;;) console.log.call(null, ...[{ toJSON() {} }].slice(1))',
  }),
]

/** Programs that misbehave and end by themselves, whatever they end with. */
export const BADLY_BEHAVED: readonly (readonly [string, string])[] = named({
  'recursion without end': 'const f = () => f() + 1; return f()',
  'recursion that catches itself':
    'const f = () => { try { return f() + 1 } catch { return 0 } }; return f()',
  'mutual recursion through getters':
    'const o = { get a() { return this.b }, get b() { return this.a } }; return o.a',
  'deep JSON text': 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))',
  'deep JSON values': 'let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; return JSON.stringify(v)',
  'a deep value returned': 'let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; return v',
  'a deep value printed': 'let v = 1n; for (let i = 0; i < 1e5; i++) v = [v]; console.log(v)',
  'deep brackets': `return ${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  'deep brackets in eval': 'return eval("(".repeat(1e5) + "1" + ")".repeat(1e5))',
  'a deep regular expression': 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("")',
  'a proxy chain': 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.a',
  'a bound chain': 'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f()',
  'a prototype chain': 'let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); return o.a ?? 1',
  'memory without end': 'const a = []; for (;;) a.push(new Array(1000).fill(a.length))',
  'memory in a promise job': 'await null; const a = []; for (;;) a.push({ a })',
  'memory in a caught loop':
    'const a = []; for (let i = 0; i < 1e4; i++) try { for (;;) a.push(new Uint8Array(1e6)) } catch {} return 1',
  'a text too long': 'let s = "x"; for (;;) s += s',
  'one huge request': 'return new Uint8Array(2 ** 31)',
  'an await of nothing': 'await new Promise(() => {})',
  'a thenable that lies': 'return { then(ok, no) { ok(1); no(2); throw 3 } }',
  'a thenable that never answers': 'return { then() {} }',
  'all globals gone':
    'for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k] } catch {} return 1',
  'no promises': 'Promise.prototype.then = Promise.resolve = Promise = null; return 1',
  'poisoned prototypes':
    'for (const p of [Object, Array, Function, String].map(c => c.prototype)) for (const k of Object.getOwnPropertyNames(p)) try { Object.defineProperty(p, k, { get() { throw 1 } }) } catch {} return [1]',
  'a poisoned error':
    'class E extends Error { get name() { throw 1 } get message() { throw 2 } get stack() { throw 3 } } throw new E()',
  'a revoked proxy': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy',
  'a revoked proxy thrown': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy',
  'a revoked proxy printed':
    'const { proxy, revoke } = Proxy.revocable([], {}); revoke(); console.log(proxy)',
  'constructors of everything': 'const F = (() => {}).constructor; return typeof F("return this")().process',
  'the prototype of the namespace': 'tools.__proto__ = { evil: 1 }; return Object.getPrototypeOf(tools)',
  'a forged message': 'const p = Object.getPrototypeOf(tools.x ?? (() => 1)); return typeof p.post',
  'a module that is not there': 'return await import("data:text/javascript,export default 1")',
  finalizers:
    'const r = new FinalizationRegistry(() => { for (;;) {} }); for (let i = 0; i < 1000; i++) r.register({}, 1); await null; return 1',
  'a class with a computed trap': 'class A { static [(() => { throw new Error("x") })()] = 1 }',
  'labels and finally': 'a: for (;;) { try { break a } finally { return 1 } }',
  'a lone surrogate in the source': 'return "\ud800"',
  'NUL in the source': 'return "a\u0000b"',
})

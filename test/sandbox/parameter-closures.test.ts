import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>
/** The same text in the runtime that the tests run in. */
const inHost = async (program: string): Promise<unknown> => new AsyncFunction(`"use strict"; ${program}`)()

describe('the default of a parameter sees the variable that the body sees', () => {
  const programs: readonly string[] = [
    'const f = (x, g = () => { x++ }) => { g(); return x }; return f(1)',
    '(a, b = () => a) => { a = 1 }\nreturn 5',
    '(function main({ a = 1 } = {}) { const o = { eval: 3 }; return [a, o.eval] })()\nreturn 1',
    '(() => { const f = (x = 2) => x; return [typeof eval, f()] })()\nreturn 1',
    'function* pages(page = 1, ask = p => ({ page: p }), last = Math.max(3, page)) { while (page <= last) { yield ask(page); page++ } } return [...pages()]',
    'function* g(n, make = k => ({ eval: k })) { n++; yield make(n) } return [...g(1)]',
    'const f = (x, g = () => { x++ }) => (g(), x); return f(1)',
    'const f = (x, g = () => { x++ }) => (g(), x) // c\nreturn f(1)',
    'const f = async (x, g = () => { x++ }) =>\n (g(), x)\nreturn await f(1)',
    'function f(x = 1, set = v => { x = v }) { set(7); return x } return f()',
    "function f(opts = {}, log = m => opts.a + m) { opts = { a: 'z' }; return log('x') } return f()",
    'function f(cb = () => n, n = 2) { n = 3; return cb() } return f()',
    'function f(n, next = () => { n -= 1; return n }) { while (n > 0) next(); return n } return [f(3), f.length]',
    'function f(a, b = a, c = () => b) { b = 5; return c() } return f(1)',
    'class A { m({ a, b = () => a } = { a: 1 }, ...rest) { a = 2; return [b(), rest] } } return new A().m(undefined, 4, 5)',
    'class B {}; class A extends B { constructor(x, g = () => x) { super(); x = 3; this.v = g() } } return new A(1).v',
    'const o = { m(x, g = () => x) { [x] = [5]; return g() }, async n(x, g = () => x) { ({ x } = { x: 6 }); return g() } }; return [o.m(1), await o.n(1)]',
    'const o = { set(x, g = () => x) { x = 2; return g() }, get p() { return 1 }, set p(v = () => 1) { v() } }; o.p = () => 1; return o.set(1)',
    'function f(x, g = () => x) { for (x of [1, 2, 3]); return g() } return f(0)',
    'function f(x, g = () => x) { const list = [{ a: [4] }]; ({ a: [x] } = list[0]); return g() } return f(0)',
    'const f = (x, g = function () { return x }, h = class { m() { return x } }) => { x ||= 8; x += 1; return [g(), new h().m()] }; return f(0)',
    'const f = (x, g = (y, z = () => y++) => { z(); return [x++, y] }) => { x = 4; return [g(1), x] }; return f(0)',
    'const f = (x, g = () => x, ...$rest) => { x = $rest[0]; return g() }; return f(1, undefined, 7)',
    'const f = (x, g = () => x) => { let x2 = 5; return g() + x2 }; return [f(1), f.length]',
    'return [1, 2].map((x, i, a, g = () => x * 2) => { x += 1; return g() })',
    'const f = (x, g = () => x,) => ({ a: x++, b: g() }); return f(1)',
    'const d = true; const f = (x, g = () => x) => d ? x++ : 1, h = 3; return [f(1), h]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's own template
    'const f = (x, g = () => `a${x}b${x++}`) => { x++; return g() }; return f(1)',
    'const f = (x, g = () => x) => { arguments0 = 1; var arguments0; x++; return [g(), arguments0] }; return f(1)',
    'function f(x, g = () => x) { x++; return [g(), arguments.length, arguments[0]] } return f(1, undefined, 3)',
    'const f = (x, { y = () => x } = {}) => { x = 2; return y() }; return f(1, {})',
    'function f(a, b = () => a) { for ([a] of [[4]]); return b() } return f(0)',
    'function f(a, b = () => a) { for ({ x: a } of [{ x: 4 }]); (a)++; return [a, b()] } return f(0)',
    'async function f(a, b = () => a) { for await ((a) of [4]); return [a, b()] } return f(0)',
    'function f(a, b = () => a) { ++(a); return [a, b()] } return f(0)',
    'function f(a, b = () => a) { eval("a = 4"); return [a, b()] } return f(0)',
    'function f(a, b = () => a) { const g = a => a + 1; return [g(a), b()] } return [f(1), f.length]',
    'function* f(a, b = () => a) { yield b() } return [...f(1)]',
    'function f(a, b = () => a) { { var a; a = 4; return [a, b()] } } return f(1)',
    'function f(a, opts = { get: () => a }) { var opts = opts || {}; return opts.get() } return f(1)',
    'const o = { set s([a, b = () => a]) { this.r = [a, b()] } }; o.s = [1]; return o.r',
    'class A { *[`x`](a, b = () => a) { yield b() } static async *#g(a, b = () => a) { yield b() } static h() { return A.#g(5) } } return [[...new A().x(1)], (await A.h().next()).value]',
    'try { (function (a = b, b = () => a) { a = 1 })() } catch (e) { return e.name }',
    // Another variable of the same name.
    'const f = (n, left = () => n) => { const out = []; while (n > 0) { n -= 1; out.push(left()) } (function () { var n = 7; return n })(); return out }; return f(3)',
    'function f(a, b = () => a) { a = 2; function g() { var a = 1; return a } return [b(), g()] } return f(5)',
    'function f(a, b = () => a) { a = 2; { function a() {} } return [b(), typeof a] } return f(5)',
    'function f(a, b = () => a) { function a() {} return [typeof a, b()] } return f(5)',
    'function f(a, b = () => a) { var x = 1, a = 2; a = 3; return [a, b()] } return f(9)',
    'function f(a, b = () => a) { for (var i = 0, a = 3; i < 1; i++) a = 4; return [a, b()] } return f(9)',
    'function f(a, b = () => a) { var { k: [a] } = { k: [4] }; a++; return [a, b()] } return f(9)',
    'const a = 7; function f(n, b = () => n + a) { n++; const a = 1; return b() + a } return f(9)',
    'function f(a, b = () => a) { var b = b || 1; return [typeof b, b()] } return f(9)',
    'function f(o, n = 1, next = () => n++) { var o = o || { k: 1 }; next(); return [o, n] } return f()',
    'function f(a, b = () => { let a = 1; return a++ }, c = a => a++) { a = 5; return [b(), c(1), a] } return f(2)',
    // What assigns where no function is.
    'function f(a, b = a++) { return [a, b] } return f(1)',
    'function f(a, b = (a = 5)) { return [a, b] } return f(1)',
    'function f(a, b = [a] = [7]) { return [a, b] } return f(1)',
    'function f(a, { [a = 3]: c = a++ } = {}) { return [a, c] } return f(1)',
    'function f(a = () => b, b = 1, c = b++) { return [a(), b] } return f()',
    'function f(a = () => b, b = 1, c = b++) { function b() {} return a() } return f()',
    'function f(a, set = () => { a = 1 }, get = () => a) { var a; set(); return [a, get()] } return f(5)',
    // What sees it and is no function in brackets.
    'function f(a, B = class { v = a }) { a = 2; return new B().v } return f(1)',
    "function f(a, b = eval('() => a')) { a = 2; return b() } return f(1)",
    'function f(a, B = class { static { a = 5 } }) { return a } return f(1)',
    'function f(a, b = () => a) { \\u0061 = 4; return b() } return f(1)',
    'function f(\\u{61}, b = () => a) { a = 4; return b() } return f(1)',
    'const x = 1; function f(a, b = x, c = () => a) { a = 1; const x = 2; return [b, c(), x] } return f(0)',
    'class P { async *pages(get = c => (c ? [] : [1])) { let c; do { yield get(c); c = !c } while (c) } } const out = []; for await (const p of new P().pages()) out.push(p); return out',
    // The length of a function is how many parameters stand before the first default.
    'function f({ a }, b = () => a) { a = 3; return [f.length, b()] } return f({ a: 1 })',
    'function f({ a, b = () => a }, [c], d, ...e) { a = 3; return [f.length, b(), c, d, e] } return f({ a: 1 }, [2], 3, 4, 5)',
    'return [((a, b, c = () => a++) => c()).length, ((a = 1, b = () => a++) => b()).length, (({ a, b = () => a++ }) => b()).length]',
    'const o = { set s([a, b = () => a]) { a++; this.r = [a, b()] } }; o.s = [1]; return o.r',
    'class A { set s(v = () => (v = 3)) { v(); this.r = v } } const a = new A(); a.s = undefined; return a.r',
    // A generator whose parameters are the same whenever they are made.
    'function* f(a, b = () => a) { a = 2; yield b() } return [...f(1)]',
    'return (await { async *f(a, b = () => a) { a++; yield b() } }.f(1).next()).value',
    'class W { *items(list, key = x => x.key) { this.list = list; for (const x of list) yield key(x) } } return [...new W().items([{ key: 1 }])]',
    'function* walk(node, visit = n => n.id) { const o = {}; o.node = 1; yield visit(node); yield o } return [...walk({ id: 4 })]',
    'function* f(i = 0, test = n => n < 3) { while (test(i)) { yield i; i++ } } return [...f()]',
    'function* f(n, step = () => n++, end = -1, l = [], o = {}, g = async function* named() {}, u = undefined, ...rest) { while (n < 3) yield step(); yield [end, l, o, typeof g, rest] } return [...f(0)]',
    'function* f(list = make(), n = list.length, step = () => n--) { while (n > 0) yield step() } function make() { return [1, 2] } return [...f()]',
    'function* f({ size = 2, of = x => x } = {}, isDone = () => false) { size -= 1; if (!isDone()) yield of(size) } return [...f()]',
    'function* f({ n = list.length } = {}, list = []) { n = 4; yield n } return [...f({ n: 1 })]',
    'function* f(a, n = 0, b = x => x) { const o = { n: 2 }; for (const n of [1]) yield b(n); if (a) --o.n; [a[n]] = [3]; yield a } return [...f([])]',
  ]
  test.each(programs)('%s', async program => {
    expect(await returned(program)).toEqual(await inHost(program))
  })

  test('with types', async () => {
    const typed = `class A { constructor(private a: number, public g = (): number => { a++; return a }) { a = 5 } }
const made: any = new A(1)
function k(o: any, g = () => o) { (o as any) = 4; o!++; return g() }
if (k(1) !== 5) throw new Error('k')
const f = <T,>(this_: any, x: T, g: () => T = (): T => x): { a: T
 b: number } => { x = 2 as T; return { a: g(), b: 1 } }
function h(this: any, x: number, g: () => number = () => x): [number, number] { x = 2; return [g(), this.k] }
const i = (x: any, g = () => x) => <any>{ a: x++, b: g() }
return [made.a, made.g(), f(0, 1), h.call({ k: 1 }, 0), i(1)]`
    expect(await returned(typed)).toEqual([1, 6, { a: 2, b: 1 }, [2, 1], { a: 1, b: 2 }])
  })

  test.each([
    ['in a generator', 'function* f(a, b = () => a, c = d()) { a = 2; yield b() } return [...f(1)]'],
    ['in a generator that takes its argument apart', 'function* f({ a, b = () => a }) { a = 2; yield b() }'],
    ['in a method that generates', 'return { async *f(a, b = a++) { yield b } }'],
    ['beside a var that a default means', 'const d = 1; function f(a, b = () => a + d) { a++; var d }'],
    ['beside a var that may be meant', "function f(a, b = eval('() => a')) { a++; var d; return b }"],
    [
      'beside a var of the same name',
      'function f(a, b = () => a) { let c = b; a = 2; var b = 3; return [c(), b] } return f(1)',
    ],
  ])('or is refused %s, where that would be seen', async (_where, program) => {
    await expect(returned(program)).rejects.toThrow(/syntax: .*give it its default in the body \(\d+:\d+\)/)
  })

  test('however many there are, and however deep', async () => {
    const flat = `let n = 0; ${'((x, g = () => { x++ }) => { g(); n += x })(1);'.repeat(4000)} return n`
    expect(await returned(flat)).toBe(8000)
    const deep = `return ${'((x, g = () => '.repeat(6)}x${') => { x++; return g() + x })(1)'.repeat(6)}`
    expect(await returned(deep)).toBe(await inHost(deep))
  })
})

describe('an asynchronous arrow with type parameters has parameters of its own', () => {
  test.each([
    [
      'const f = async <T>(a: T, b = () => a): Promise<T> => { a = 3 as any; return b() }; return await f(1)',
      3,
    ],
    ['const f = async <T,>(a: T, b = (a = 2 as any)) => a; return await f(1)', 2],
    ['function f(x, g = async <T>(y: T) => [x, y]) { x = 2; return g(5) } return await f(1)', [2, 5]],
    [
      'function f(items, show = () => items.length) { const load = async <T>(items: T[]): Promise<T[]> => items.map(i => i); items = items.slice(1); return show() } return f([1, 2, 3])',
      2,
    ],
    [
      'function f(x, g = () => x, n = 0) { const h = async <T>(n: T) => n; x = 2; return g() } return f(1)',
      2,
    ],
  ])('%s', async (program, value) => {
    expect(await returned(program)).toEqual(value)
  })
})

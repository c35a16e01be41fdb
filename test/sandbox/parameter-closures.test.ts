import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>
/** The same text in the runtime that the tests run in. */
const inHost = async (program: string): Promise<unknown> => new AsyncFunction(`"use strict"; ${program}`)()

describe('a function in the default of a parameter sees the variable that the body sees', () => {
  const programs: readonly string[] = [
    'const f = (x, g = () => { x++ }) => { g(); return x }; return f(1)',
    'const f = (x, g = () => { x++ }) => (g(), x); return f(1)',
    'const f = (x, g = () => { x++ }) => (g(), x) // c\nreturn f(1)',
    'const f = async (x, g = () => { x++ }) =>\n (g(), x)\nreturn await f(1)',
    'function f(x = 1, set = v => { x = v }) { set(7); return x } return f()',
    "function f(opts = {}, log = m => opts.a + m) { opts = { a: 'z' }; return log('x') } return f()",
    'function f(cb = () => n, n = 2) { n = 3; return cb() } return f()',
    'function f(n, next = () => { n -= 1; return n }) { while (n > 0) next(); return n } return [f(3), f.length]',
    'function f(a, b = a, c = () => b) { b = 5; return c() } return f(1)',
    'class A { m({ a, b = () => a } = { a: 1 }, ...rest) { a = 2; return [b(), rest] } static *g(x, y = () => x) { x = 9; yield y() } } return [new A().m(undefined, 4, 5), [...A.g(1)]]',
    'class B {}; class A extends B { constructor(x, g = () => x) { super(); x = 3; this.v = g() } } return new A(1).v',
    'const o = { m(x, g = () => x) { [x] = [5]; return g() }, async n(x, g = () => x) { ({ x } = { x: 6 }); return g() } }; return [o.m(1), await o.n(1)]',
    'const o = { set(x, g = () => x) { x = 2; return g() }, get p() { return 1 }, set p(v = () => { v = 1 }) { v() } }; o.p = () => 1; return o.set(1)',
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
    'try { (function (a = b, b = () => a) { a = 1 })() } catch (e) { return e.name }',
  ]
  test.each(programs)('%s', async program => {
    expect(await returned(program)).toEqual(await inHost(program))
  })

  test('with types', async () => {
    const typed = `class A { constructor(private a: number, public g = (): number => { a++; return a }) { a = 5 } }
const made: any = new A(1)
const f = <T,>(this_: any, x: T, g: () => T = (): T => x): { a: T
 b: number } => { x = 2 as T; return { a: g(), b: 1 } }
function h(this: any, x: number, g: () => number = () => x): [number, number] { x = 2; return [g(), this.k] }
return [made.a, made.g(), f(0, 1), h.call({ k: 1 }, 0)]`
    expect(await returned(typed)).toEqual([1, 6, { a: 2, b: 1 }, [2, 1]])
  })

  test('however many there are, and however deep', async () => {
    const flat = `let n = 0; ${'((x, g = () => { x++ }) => { g(); n += x })(1);'.repeat(4000)} return n`
    expect(await returned(flat)).toBe(8000)
    const deep = `return ${'((x, g = () => '.repeat(6)}x${') => { x++; return g() + x })(1)'.repeat(6)}`
    expect(await returned(deep)).toBe(await inHost(deep))
  })
})

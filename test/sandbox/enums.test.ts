// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs' own.
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { returned } from './support/run-code.js'

/** What the enums use. */
const GIVEN = `const c = 1, k = 'k', n = 4, o = { x: 'ox' }, tag = x => x[0]; let s = 's'; function f() { return 'f' };
`
const SHOW = '\nreturn Object.entries(E).map(([key, value]) => `${key}: ${typeof value} ${String(value)}`)'

const onHost = (body: string): unknown => {
  const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext }
  const { outputText } = ts.transpileModule(`function program() {${body}\n}`, { compilerOptions: options })
  return new Function(`${outputText}\nreturn program()`)()
}

describe('an enum has the entries that the compiler gives it', () => {
  test.each([
    `enum E { D = 'x', H = D as any }`,
    `enum E { D = 'x', H = D as any as string, I }`,
    `enum E { D = 'x', H = <any>D }`,
    `enum E { D = 'x', H = (D) }`,
    `enum E { D = 'x', H = (D as any) }`,
    `enum E { D = 'x', H = D! }`,
    `enum E { A = 'x', B = A, C = E.A, F = E['A'], G = E["B"] }`,
    `enum E { A = 'a' + 1, B = 1 + 'a', C = 'a' + 'b' + 2 * 3, D = 'a' + f(), F = f() + 'b', G = f() + f() }`,
    'enum E { A = `x`, B = `x${1}`, C = `x${A}`, D = `x${f()}`, F = `${1}`, G = `${f()}` + f(), H = `a${`b${f()}`}` }',
    `enum E { A = f(), B = 'x'.toUpperCase(), C = ['a'][0], D = s, F = k, G = k + s, H = k + k, I = k + 1, J = n, K }`,
    `enum E { A = o.x, B = o['x'], C = o.x + 'a', D = o.x + o.x, F = typeof 1, G = s.length, H = s + '' }`,
    'enum E { A = 5, B, C = -1, D, F = ~A, G = +A, H = 1.5, I }',
    `enum E { A = -'1', B = +'1' + 'a', C = !1, D = !1 + 'a' }`,
    'enum E { A = 1 << 2, B = 5 >> 1, C = -5 >>> 28, D = A | B, F = A & B, G = A ^ B, H = 7 % 4, I = 2 ** 3 ** 2, J = 1 / 0, K = 0 / 0, L }',
    `enum E { A = 'x', B = 1, C }`,
    `enum E { A = c ? 'x' : 'y', B = c && 'x', C = null ?? 'x', D = 'x' || 1, F = ('x', 'y'), G = c ? 1 : 2 }`,
    `enum E { A = 1, B = E.A + 1, C = E['A'] + E.B, D }`,
    `enum E { 'a-b' = 'x', B = E['a-b'], 'c d' = 3, D = E['c d'], F }`,
    `enum O { P = 'p', Q = 2 }; enum E { A = O.P, B = O.Q, C, D = O['P'], F = O.P + s, G = O.P as any, H = O.Q as number }`,
    "const m = 'x', m2 = m + 'y', m3 = f(); enum E { A = m, B = m2, C = m3, D = m as any, F = `${m}` }",
    `const t: string = 'x'; enum E { A = t, B = t + 'a' }`,
    `let l = 'x'; enum E { A = l, B = l + 'a', C = l + l }`,
    `const { d } = { d: 'x' }; enum E { A = d }`,
    'const a1 = 1; enum E { A = a1, B, C = a1 + s }',
    `function g(p = 'x') { enum I { A = p, B = p + 'a' } return I } const E = g()`,
    `const arrow = () => { const z = 'z'; enum I { A = z, B = z as any } return I }; const E = arrow()`,
    "const enum E { A = 'x', B = 3, C, D = B + C, F = `${A}` }",
    `const enum E { A = 'x', B = 'y' as any, C = 'abc'.length }`,
    `enum E { A = 'x' as const, B = 'x' satisfies string, C = 1 as const, D = 2 satisfies number }`,
    `enum E { A = (() => 'x')(), B = new String('x') as any, D = 1 + (2 as any), F = ('x' as any) + f() }`,
    `enum E { A = ((('x'))), B = (('a') + ('b')), C = (1) + (2), D = ((f())), F = ('a') + (f()) }`,
    `enum E { A = 1 + + + 2, B = 1 - -1, C = - - 1, D = 'a' + -1, F = 'a' + +f() }`,
    "enum E { A = s[0], B = 'ab'[0], C = 'ab'['length'], D = `ab`.length, F = s?.x, G = s!.length, H = tag`x` }",
    `enum E { A = 'x' + 1 as any, B = 1 as any + 1 as any }`,
    `enum E { A = 1 + 2 * 'a' as any, B = 'a' * 2, C = 'a' - 1, D = 'a' + 1 - 1 }`,
    `enum E { A = 'x', B = A + A, C = A + 1, D = A + f(), F = A + s, G = (A), H = -A, I = A.length }`,
    `enum E { A = 1 > 2 as any, B = 'a' > 'b' as any, C = 'a' === 'a' as any, D = 'a' in {} as any }`,
    'enum E { A = 1_000, B, C = 0x10, D, F = 1n as any }',
    `enum E { A = /x/ as any, B = 'x' /* c */ + /* d */ 'y', C = function () { return 'x' }() as any, D = class { static x = 'y' }.x as any }`,
    `enum E { A = 'x', B = { a: 'x' }.a as any, C = { a: A }.a }`,
    `const dup = 'x'; { const dup = f(); } enum E { A = dup }`,
    'enum E { A = Math.max(1, 2), B = 3, C }',
    'enum E { A = k as unknown as number, B = k }',
  ])('%s', async line => {
    expect(await returned(GIVEN + line + SHOW)).toEqual(onHost(GIVEN + line + SHOW))
  })

  test('whatever of the language is not finite', async () => {
    const body = 'enum E { A = NaN, B, C = Infinity, D = -Infinity, F }'
    expect(await returned(`${body}${SHOW}`)).toEqual(
      ['A: number NaN', 'NaN: string B', 'B: number NaN', 'C: number Infinity', 'Infinity: string C'].concat([
        'D: number -Infinity',
        '-Infinity: string F',
        'F: number -Infinity',
      ]),
    )
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadTypeStripper } from '../../src/sandbox/quickjs/program/load-type-stripper.js'
import { compiled, meaning, runs, wrapped } from './support/compiler-view.js'
import { randomProgram } from './support/random-program.js'
import { returned, run } from './support/run-code.js'

const stripper = await loadTypeStripper()

/** The body without its types, or the reason why it is refused. */
const erased = (body: string): { readonly text?: string; readonly refused?: string } => {
  const outcome = stripper.strip(body)
  return outcome.ok ? { text: outcome.stripped.text } : { refused: outcome.fault.message }
}

const saysTheSame = (body: string, wanted: string): void => {
  const { text, refused } = erased(body)
  if (refused !== undefined) return
  const script = wrapped(text as string)
  expect({ body, runs: runs(script), says: meaning(script) }).toEqual({
    body,
    runs: true,
    says: meaning(wanted),
  })
}

/** What looks like type arguments and is none, or the other way round. */
const COMPARISONS = [
  'x = [a < b as number, b > (c)]',
  'a<b as any>(0)',
  'a<b satisfies any>(0)',
  'x = [a<b, b as any>(0)]',
  'x = [a<b, c\n[0]>(1)]',
  'a<b\n["x"]>(0)',
  'a < b in c > (d)',
  'a<[b in c]>(d)',
  'a<{...b}>(c)',
  'a<typeof 1>(c)',
  'a<typeof -b>(c)',
  'a<-b>(c)',
  'a<class {}>(c)',
  'a<b>\n+c',
  'a<b>\n-c',
  'a<b>/c/g',
  'a<b>/=c/g',
  'a<b>\n[c]',
  'a<b> as c',
  'a<b>.5',
  'if (n as number < 5) b',
  'n as number << 5',
  'n as any\n<<T>1',
  'n as number <= 5',
]
/** Conditions whose middle looks like the parameters of an arrow function. */
const CONDITIONS = [
  'const run = cb ? (cb) : x => x',
  'a ? (b, c) : d => d',
  'a ? b => (a) : c => c',
  'a ? async(x) : b => b',
  'a ? async (1) : 2',
  'c ? x.async(a) : b',
  'switch (a) { case async (1): b }',
  'a ? (b): c => d : e',
  'a ? (b): c => (d) : e => f : g',
  'a ? (b ? (c) : d => e) : f',
  'a ? x = (b) : c => d',
  'a ? [(b)] : c => d',
  'a ? <T>(b) : c => d',
  'a ? <T>(b): c => d : e',
  'a ? async <T>(b) : c => d',
  'a ? async <T>(b): c => d : e',
  'a ? ({ b }: T): U => d : c => e',
  'a ? (b as T) : c => d',
  'f(a ? (b) : c => d, a ? (b) : c => d)',
  'const f = async (x) => {}\n/re/.test(y)',
  'const f = async <T>(x) => {}\n<any>y',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's own.
  '`${async (x): asserts x => (x)}`',
]
const RARE = [
  'let a: import("x", { with: { a: "b" } }).B',
  'a as import("x")\n<T>(b)',
  'type as = 1',
  'type satisfies<T> = 1',
  'interface as { a: 1 }',
  'x = { async<T>() {} }',
  'class A { static?: T }',
  'class A { get?: T\n x() {} }',
  'class A { get?\n x() {} }',
  'class A { static private x = 1 }',
  'class A { f(x): asserts\ng() {} }',
  'declare enum E { A = 1 << 2, B = 5 >> 1 }',
]

describe('a program without its types says what the compiler makes of it', () => {
  test('for random programs, with blanks and without', () => {
    let seen = 0
    let refused = 0
    for (let seed = 1; seed <= 800; seed++) {
      const body = randomProgram(seed)
      const wanted = compiled(body)
      if (wanted === undefined || !runs(wanted)) continue
      seen += 1
      const reason = erased(body).refused
      // Of these, the compiler says what they mean by parentheses that the text has not.
      if (reason !== undefined && !/into parentheses/.test(reason)) refused += 1
      saysTheSame(body, wanted)
    }
    expect(seen).toBeGreaterThan(400)
    expect(refused).toBeLessThan(seen / 100)
  }, 120_000)

  test('for the files of this project, as bodies', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const files = ['src', 'examples']
      .flatMap(folder =>
        readdirSync(join(root, folder), { recursive: true }).map(name => join(folder, String(name))),
      )
      .filter(name => name.endsWith('.ts') && !/generated|node_modules|\.d\.ts$/.test(name))
    let seen = 0
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8')
      const body = text
        .replace(/^import\s[^'"]*['"][^'"]+['"];?$/gm, '')
        .replace(/^export (?!default|\{|\*)/gm, '')
      const wanted = compiled(body)
      // What is awaited at the end of such loops is ours: see await-loops.test.ts.
      const hasLoops = body.includes('for await')
      if (wanted === undefined || !runs(wanted) || hasLoops || /^export /m.test(body)) continue
      expect({ file, refused: erased(body).refused }).toEqual({ file, refused: undefined })
      saysTheSame(body, wanted)
      seen += 1
    }
    expect(seen).toBeGreaterThan(200)
  }, 120_000)

  test.each([
    ['return<any>x'],
    ['return <any>\nx'],
    ['return <any> // why\n x'],
    ['throw<any>x'],
    ['a /<any>/2/'],
    ['a+<any>+b'],
    ['a-<any>--b'],
    ['typeof<any>x'],
    ['void<any>x'],
    ['a in<any>b'],
    ['a instanceof<any>b'],
    ['switch (x) { case<any>1: a }'],
    ['if (a) b\nelse<any>y'],
    ['a/<any>/**/b'],
    ['a<!--b'],
    ['a-->b'],
    ['const f = () => <T>{ a: 1 }'],
    ['const f = async <\nT\n>(a: T) => a'],
    ['const f = (a): {\n b: T\n} => a'],
    ['const f = (a)\n: T /* c */ => a'],
    ['a = b as any\n(c)'],
    ['a = b as any\n[c] = d'],
    ['a = b satisfies any\n`c`'],
    ['a\ninterface B {}\n(c)'],
    ['a\ntype B = 1\n[c].d'],
    ['a = 1\ndeclare const b: number\n(c)'],
    ['class A { a = 1\n private [b] = 2 }'],
    ['class A { a = 1\n declare b: number\n [c] = 2 }'],
    ['class A { get: T\n a() {} }'],
    ['class A { static: T\n a() {} }'],
    ['class A { constructor(private a, readonly b = 1) {} }'],
    ['class A extends B { x = 1; constructor(public a) { f(); super(a)\n g() } }'],
    ['abstract class A { abstract a: T; abstract b(): void; c() {} }'],
    ['class A { a(b: string): void; a(b: any) {} }'],
    ['class A { [k: string]: any; a = 1 }'],
    ['function a(this: T, b: U) {}'],
    ['function a(b): asserts b is T {}'],
    ['let a!: T\nlet b: T[]\n[]'],
    ['a!.b!\n(c)'],
    ['a?.b!.c'],
    ['(a as any) = 1'],
    ['f<<T>() => void>(a)'],
    ['const a: A<B<C>>=1'],
    ['a as T >= 1'],
    ['x = a < b > (c)'],
    ['x = f(a < b, c > (d))'],
    ['const a = <T,>(b: T) => b'],
    ['for (const a of <any>b) {}'],
    ['label: for (;;) break label'],
    ...COMPARISONS.map((body): [string] => [body]),
    ...CONDITIONS.map((body): [string] => [body]),
    ...RARE.map((body): [string] => [body]),
  ])('for %j', body => {
    const wanted = compiled(body)
    expect(wanted).toBeDefined()
    expect(erased(body).refused).toBeUndefined()
    saysTheSame(body, wanted as string)
  })
})

describe('texts are left alone', () => {
  test.each([
    ['in strings', `return '<!-- a --> <any>b'`, '<!-- a --> <any>b'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's own.
    ['in templates', 'return `\n--> <!-- ${1}\n--> import x`', '\n--> <!-- 1\n--> import x'],
    ['in regular expressions', 'return /<!--|-->/.source', '<!--|-->'],
    ['in comments', '/* <!-- import a from "b" --> */ // <!-- namespace\nreturn 1', 1],
  ])('%s', async (_where, program, value) => {
    expect(await returned(program, {})).toBe(value)
  })
})

describe('the engine reads what the model wrote', () => {
  test.each([
    ['let a = 8, b = 2; return a <!--b', false],
    ['let a = 8; return String(a /<any>/2/)', 'NaN'],
    ['let a = 3, n = 0\nwhile (a--> 0) n++\nreturn n', 3],
    ['let a = 3\n--> 0\nreturn a', undefined],
    [
      'class A {}\nclass B extends A { constructor(public a) { if (a) { super() } else { super() } } }\nreturn { ...new B(1) }',
      { a: 1 },
    ],
    ['let a = 1\nimport type { A } from "a" with { type: "b" }\n(a)\nreturn a', 1],
    ['let a = 3\n/* x */ --> 0\nreturn a', undefined],
    ['const f = (): any => <any>{ a: 1 }; return f()', { a: 1 }],
    ['return <any>\n5', 5],
    ['export default\n  async () => 6', 6],
    ['return (await /a/).source', 'a'],
    [
      "function f() { await /1; } }); console.log('out'); (async function () { function g() { 2/ +1 }",
      undefined,
    ],
    ['export default function () { return 7 }\n(8)', 7],
  ])('%j', async (program, value) => {
    const { error, value: got } = await run(program)
    if (value === undefined) expect(error?.kind).toBe('syntax')
    else expect(got).toEqual(value)
  })
})

describe('an enum is what the compiler makes of it', () => {
  test.each([
    ['enum E { A, B, C }', { 0: 'A', 1: 'B', 2: 'C', A: 0, B: 1, C: 2 }],
    ['enum E { A = 5, B, C = A | B, D }', { 5: 'A', 6: 'B', 7: 'C', 8: 'D', A: 5, B: 6, C: 7, D: 8 }],
    ["enum E { A = 'x', B = `y`, C = 'a' + 'b', 'd-e' = 'z' }", { A: 'x', B: 'y', C: 'ab', 'd-e': 'z' }],
    ["enum E { A = 'x', B = A }", { A: 'x', B: 'x' }],
    ['enum E { E = 1, F }', { 1: 'E', 2: 'F', E: 1, F: 2 }],
    ['const enum E { A = 1 << 2, B = "t".length as number, }', { 4: 'A', 1: 'B', A: 4, B: 1 }],
    ['enum E { e0, e1 = e0 + 5, e2 = E.e1 }', { 0: 'e0', 5: 'e2', e0: 0, e1: 5, e2: 5 }],
    ['const e0 = 4; enum E { A = e0 }', { 4: 'A', A: 4 }],
    ['function f() { enum E { y } }\nfunction g() { enum E { z } }\nenum E { x }', { 0: 'x', x: 0 }],
    ['enum E { Z }\n{ enum E { Y } }', { 0: 'Z', Z: 0 }],
    ['enum E { default, class = 3, }', { 0: 'default', 3: 'class', default: 0, class: 3 }],
  ])('%s', async (program, value) => {
    expect(await returned(`${program}\nreturn E`, {})).toEqual(value)
  })
})

describe('what would be lost without a word is refused', () => {
  test.each([
    ['import a from "b"', /import is not available/],
    ['import type from "b"', /import is not available/],
    ['import a = require("b")', /import is not available/],
    ['export { a }', /export is not available/],
    ['export abstract class A {}', /export is not available/],
    ['export = 1', /export is not available/],
    ['export default 1\nexport default 2', /export is not available/],
    ['if (a) { export default 1 }', /return the result instead/],
    ['namespace A.B { export const x = 1 }', /namespace A holds values/],
    ['namespace A { f() }', /namespace A holds values/],
    ['declare const x: 1\nnamespace A { namespace B { let x = 1 } }', /namespace B holds values/],
    ['class A extends B { constructor(private a) { const s = super() } }', /statement of its own/],
    ['class A { constructor(private a) {} constructor(private b) {} }', /one constructor/],
    ['let a = 1, b = 2, c = 3\nreturn a + b as number * c', /what has a type into parentheses/],
    ['let a = 1, b = 2, c = 3\nreturn a < b as any << c', /what has a type into parentheses/],
    ['enum A { x }\nenum A { y }', /stands above/],
    ['@a class A {}', /decorators are not available/],
    ['class A { @a b() {} }', /decorators are not available/],
    ['class A { accessor a = 1 }', /accessor fields are not available/],
    ['class A { static accessor #a }', /accessor fields are not available/],
    ['using a = b', /using is not available/],
    ['await using a = b', /using is not available/],
    ['for (using a of b) a', /using is not available/],
    ['console.log(text: 1)', /Unexpected token/],
    ['return (a: 1)', /Unexpected token/],
    ['return async (a: 1)', /Unexpected token/],
    ['const f = function()\n5', /Unexpected token/],
    ['return { m() }', /Unexpected token/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's own.
    ['return `${1 2}`', /Unexpected token/],
    ['namespace T { export function f(a) { return a / 2 || a >= a / 2 } }', /namespace T holds values/],
  ])('%s', async (program, message) => {
    const { error } = await run(program)
    expect([error?.kind, error?.message]).toEqual(['syntax', expect.stringMatching(message)])
  })

  test.each([
    'interface module { class: 1; const: 2 }\nnamespace A { export interface B { function: 1; class: 2 } }\nreturn 1',
    'declare namespace A { const x: 1 }\ndeclare module "b" { export function c(): void }\nreturn 1',
    'const a = { import: 1, export: 1, namespace: 1 }\nreturn a.import + a.export - a.namespace',
    'const namespace = 1\nnamespace\nreturn namespace',
    'const using = [1], accessor = 1; for (const a of using) { if (a in using) {} }\nreturn accessor',
    'class A { accessor\n using\n accessor2 }\nconst { accessor, using = 1 } = { accessor() {} }\nreturn using',
    'class A { accessor = 1; static using = 2; x }\nlet using\nusing\nusing = new A().accessor; for (using of [1]);\nreturn using',
    'declare class A { @a b: any }\nconst using: any = 1\nreturn using as any',
  ])('%s is not', async program => {
    expect(await returned(program, {})).toBe(1)
  })
})

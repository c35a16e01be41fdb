import { describe, expect, test } from 'vitest'
import { returned, run, shared } from './support/run-code.js'

const echo = { echo: ({ args }: { args: readonly unknown[] }) => args[0] ?? null }

describe('a program', () => {
  const accepted: readonly (readonly [string, string, unknown])[] = [
    ['is a body with return', 'return 1', 1],
    ['may await at the top', 'const n: number = await Promise.resolve(2)\nreturn n', 2],
    ['may be fenced', '```ts\nconst a: number = 3\nreturn a\n```', 3],
    ['may be fenced without a language', '\n```\nreturn 3\n```\n', 3],
    [
      'may name a field as a word of the language',
      'class A { async: boolean; static async?: number; get: 1; set!: 1; static: 1; #async; await; of; x = 1; m() { return #async in this } }\nreturn [Object.keys(new A()), Object.keys(A), new A().m()]',
      [['async', 'get', 'set', 'static', 'await', 'of', 'x'], ['async'], true],
    ],
    [
      'may name a parameter that is a property so',
      'class A { constructor(public async: boolean, private get = 1, public readonly set?: 1) {} m() { return [this.async, this.get] } async async() { return 4 } }\nclass B extends A { constructor(public async: boolean) { super(async) } }\nreturn [Object.keys(new A(true)), new A(true).m(), new B(false).m()]',
      [
        ['async', 'get', 'set'],
        [true, 1],
        [false, 1],
      ],
    ],
    ['may be one arrow function with type parameters', 'async <T,>(x?: T): Promise<number> => 5', 5],
    [
      'may be one arrow function with type parameters right behind async',
      'async<T>(x?: T) => { return 6 }',
      6,
    ],
    ['may be one arrow function with a name of another script', 'async größe => 7', 7],
    ['may compare what is called async', 'async < 5 && console.log(1)\nvar async = 4; return async', 4],
    ['may be one arrow function', 'async () => {\n  return await tools.echo(4)\n}', 4],
    ['may be one arrow with an expression', '() => 5;', 5],
    ['may be one arrow that makes a list', '() => [1]', [1]],
    ['may be one arrow that makes an object', '() => ({ a: 1, constructor: 2 })', { a: 1, constructor: 2 }],
    ['may be one arrow that gives a promise', '() => Promise.resolve([1])', [1]],
    [
      'may be one arrow that gives what can be awaited',
      '() => ({ then: (ok: (n: number) => void) => ok(6) })',
      6,
    ],
    ['may be one function that gives nothing', 'function () {}', undefined],
    ['may be one function expression', 'async function main(): Promise<number> { return 6 }', 6],
    ['may be one called function', '(async () => { return 7 })()', 7],
    ['may start with a comment before its arrow', '// the answer\nasync () => 8', 8],
    ['may be one default export', 'export default async function () { return 9 }', 9],
    ['may have declarations before its default export', 'const base = 9\nexport default () => base + 1', 10],
    [
      'may have variables after its default export',
      'export default async function main() { return helper(2) }\nconst helper = (x: number) => x * 2',
      4,
    ],
    [
      'may use what it exports by default',
      'const g = () => f(1)\nconst got = g()\nexport default function f(n?: number) { return n ?? got + 1 }',
      2,
    ],
    [
      'may go on after its default export',
      'const all: number[] = []\nexport default () => all\n;all.push(1); await null; all.push(2)',
      [1, 2],
    ],
    [
      'may have the name that is given to its default export',
      'const exported = 1\nexport default { exported }',
      { exported: 1 },
    ],
    ['may export what starts in the next line', 'export default\n{ a: 1 }', { a: 1 }],
    ['may export a value', 'export default { a: 1 }', { a: 1 }],
    ['may use enums', 'enum Level { Low = 1, High }\nreturn [Level.High, Level[1]]', [2, 'Low']],
    [
      'may use an enum in each turn',
      'const all = []; for (let i = 0; i < 2; i++) { enum E { a = i } all.push(E) }\nreturn [all[0] !== all[1], all[0].a, all[1].a]',
      [true, 0, 1],
    ],
    [
      'may name a member by a word after a dot',
      'enum E { default, if = 3, b = E.if }\nreturn [E.if, E.b]',
      [3, 3],
    ],
    ['may use parameter properties', 'class P { constructor(readonly x: number) {} }\nreturn new P(3).x', 3],
    ['may use type-only namespaces', 'namespace T { export type A = number }\nconst a: T.A = 1\nreturn a', 1],
    ['may use a variable named module', 'const module = 1, namespace = 2\nreturn module + namespace', 3],
    ['may import types', "import type { A } from 'a'\nreturn 1", 1],
    ['may return nothing', 'await tools.echo(1)', undefined],
    ['may return null, zero and empty text', "return [null, 0, '', false]", [null, 0, '', false]],
    ['may return from a nested arrow', 'return await (async () => 11)()', 11],
    [
      'may begin with a function, and go on with brackets',
      'function f() { return 1 }\n(tools.echo(2))',
      undefined,
    ],
    [
      'may call what it begins with',
      'const { log } = console\nasync function main(n: number) { return n }\nreturn await main(3)',
      3,
    ],
    [
      'may begin with a function that it calls in brackets',
      'async function all(n: number[]) { return n }\n\n(await all([1, 2])).forEach(n => console.log(n))',
      undefined,
    ],
    ['may begin with a function before a list', 'function f() {}\n[1].at(0)', undefined],
    ['may begin with a function before a template', 'function f() { return 5 }\n`t`', undefined],
    ['may begin with an asynchronous generator', 'async function* f() {}\n(1)', undefined],
    [
      'may be a function that has a name and types',
      'function f<T>(this: any, n?: T): any { return [1] }',
      [1],
    ],
    ['may export a value with a type', 'export default <any>{ a: 1 }', { a: 1 }],
    ['may export a value with another', 'export default { a: 1 } as any', { a: 1 }],
    ['may begin with a comment that another line end ends', '// first\rreturn 1', 1],
    ['may hold a fence in a comment', '/*\n```ts\n```\n*/ return 1', 1],
    ['is strict', 'return (function () { return this === undefined })()', true],
    ['may hold backticks', 'return `\n\\`\\`\\`\n`', '\n```\n'],
  ]
  test.each(accepted)('%s', async (_what, program, value) => {
    expect(await returned(program, echo)).toEqual(value)
  })

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['empty text', '  \n', /empty.*return await tools\.name/s],
    ['comments alone', '// nothing', /empty/],
    ['an enum in two parts', 'enum E { a }\nenum E { b = 5 }\nreturn E', /name of its own.*\(2:6\)/s],
    [
      'an enum whose member has its name',
      'enum E { E = 4, d = E }\nreturn E.d',
      /name of its enum.*\(1:10\)/s,
    ],
    ['an enum with a member of another kind', 'enum E { __proto__ = 5 }\nreturn E', /__proto__.*\(1:10\)/s],
    ['text with half of a pair', 'const a = 1\nreturn "\ud83d" + a', /surrogate pair.*escape.*\(2:9\)/s],
    ['a JSON object', '{ "path": "a" }', /JSON, not a program/],
    ['a shell command', 'ls -la src', /shell command/],
    ['a command with a prompt', '$ cat README.md', /shell command/],
    ['an import', "import fs from 'fs'\nreturn fs", /import is not available.*\(1:1\)/s],
    ['a function and an operator', 'function f() {}\n.a', /SyntaxError/],
    ['a function and a condition', 'function f() { return 3 }\n? 1 : 2', /SyntaxError/],
    ['a sentence before a fence', 'Here:\n```ts\nreturn 1\n```', /fence.*send what is in it.*\(2:1\)/s],
    ['a longer sentence before a fence', 'Here it is:\n```ts\nreturn 1\n```', /Send what is in it/],
    ['a sentence behind a fence', '```ts\nreturn 1\n```\nThis returns 1.', /Send what is in it/],
    ['an export', 'const a = 1\nexport const b = 2', /export is not available.*\(2:1\)/s],
    [
      'a namespace with values',
      'namespace N { export const x = 1 }\nreturn N.x',
      /write const N = \{ \.\.\. \}/,
    ],
    ['text that does not parse', 'const a = 1\nconst b = ;\nreturn a', /SyntaxError.*\(2:11\)/s],
    ['a stray bracket', 'return 1 }', /SyntaxError/],
    ['a way out of the brackets around a function', '() => 1), (2', /SyntaxError/],
    ['another one', '(a) => { }); (async () => 5', /SyntaxError/],
    ['a way out of the wrapper', '}); (async function(){ return 1', /SyntaxError/],
    ['what only the engine refuses', 'let a = 1\nlet a = 2\nreturn a', /SyntaxError.*\n.*2 \| let a = 2/s],
  ]
  test.each(refused)('is refused when it is %s', async (_what, program, message) => {
    const { error } = await run(program)
    expect(error?.kind).toBe('syntax')
    expect(error?.message).toMatch(message)
  })

  test.each(['find = 3', 'const cat = 1', 'node.x', 'make(1)'])(
    '%s is not taken for a command',
    async program => {
      const { error } = await run(program)
      expect(error?.message ?? '').not.toMatch(/shell/)
    },
  )
})

describe('reading a program', () => {
  const nested = (open: string, close: string, levels: number): string =>
    `return ${open.repeat(levels)}1${close.repeat(levels)}`
  test.each([
    ['arrows in default values', nested('(a = ', ') => 1', 40)],
    ['generic arrows in default values', nested('<T,>(a = ', ') => 1', 40)],
    ['type assertions', nested('<T>(', ')', 60)],
    ['arrows that are expressions', `${nested('(a = ', ') => 1', 40).slice(7)}`],
  ])('does not take long for %s', async (_what, program) => {
    const began = performance.now()
    const { error } = await run(program)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(error?.kind).toBe('syntax')
    expect(error?.message).toMatch(/many levels deep/)
  })

  test('is linear in lines, tokens and blanks', async () => {
    const began = performance.now()
    await run(`var module\n${'a\n'.repeat(120_000)}`)
    await run(`(${' '.repeat(250_000)}1)`)
    await run(`\`\`\`\n${'\n'.repeat(250_000)}x`)
    await run(`\`\`\`\n\n\`\`\`${' '.repeat(250_000)}x`)
    await run(`\`\`\`\n${'\n```  '.repeat(40_000)}x`)
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('takes thousands of assignments beside a class', async () => {
    const program = `class A { a = 1 }; let x = 0, y = 1; type T = number; ${'x=y;y =x;'.repeat(10_000)} return x`
    expect((await run(program)).value).toBe(1)
  })

  test('finds what it refuses in long programs', async () => {
    const { error } = await run(`${'a\r\n'.repeat(1000)}const t = \`x\n\`\n  export const b = 1`)
    expect(error?.message).toMatch(/export is not available.*\(1003:3\)/s)
  })

  test('says so when it is nested too deeply', async () => {
    const { error } = await run(nested('[', ']', 60_000))
    expect([error?.kind, error?.message]).toEqual(['stack', expect.stringMatching(/nested too deeply/)])
  })
})

describe('a failure', () => {
  test('says name and message first, then three lines and the calls on the way', async () => {
    const program = [
      'interface A { x: number }',
      'const pick = (a: A | undefined): number => (a as A).x',
      'const n: number = 1',
      'return n + pick(undefined as unknown as A)',
    ].join('\n')
    const { error } = await run(program)
    expect(error).toEqual({
      kind: 'exception',
      message: [
        "TypeError: cannot read property 'x' of undefined",
        '',
        '  1 | interface A { x: number }',
        '> 2 | const pick = (a: A | undefined): number => (a as A).x',
        '    |                                                    ^',
        '  3 | const n: number = 1',
        '',
        '    at pick (2:52)',
        '    at 4:16',
      ].join('\n'),
    })
  })

  test.each([
    ['in a long line', `/*${'x'.repeat(230_000)}*/`, '1:230010'],
    ['after many short lines', `/*${'\r'.repeat(230_000)}*/`, '1:230010'],
    ['in lines that there are not', `/*${'x'.repeat(230_000)}*/`, '9:1'],
  ])('takes no time for a stack that the program wrote itself %s', async (_what, lead, place) => {
    const stack = Array.from({ length: 700 }, (_, i) => `at f${i} (program.ts:${place})`)
    const program = `${lead}const e = new Error('forged'); e.stack = ${JSON.stringify(stack.join('\n'))}; throw e`
    const began = performance.now()
    const { error } = await run(program)
    expect(performance.now() - began).toBeLessThan(2500)
    expect(error?.message).toMatch(/^Error: forged/)
  })

  test.each([
    ['after types', 'const a = (1 as number), b: string = null!; a.b.c', '1:48'],
    ['after an enum', 'enum E { A, B, C }; null.x', '1:25'],
    ['after wide characters', 'const a = "😀é"; null.x', '1:22'],
    ['on a later line', '\n\n  null.x', '3:7'],
    ['in a fence', '```ts\nnull.x\n```', '2:5'],
    ['in an arrow', 'async () => {\n  null.x\n}', '2:7'],
    ['on the first line of an arrow', '() => null.x', '1:11'],
  ])('is placed in the submitted text %s', async (_what, program, place) => {
    const { error } = await run(program)
    expect(error?.message).toMatch(new RegExp(`at .*\\b${place}\\b`))
  })

  test('that comes late in a program as deep as can be read is told all the same', async () => {
    const deep = (levels: number): string =>
      `await new Promise(done => setTimeout(done, 1)); let a: ${'{a:'.repeat(levels)}b${'}'.repeat(levels)}; null.x`
    const kindAt = async (levels: number): Promise<string | undefined> => {
      const { error } = await run(deep(levels), {}, {}, shared)
      if (error?.kind === 'exception')
        expect(error.message).toMatch(/^TypeError: cannot read property 'x' of null/)
      return error?.kind
    }
    // Frames of the host's stack become smaller as its code gets warm.
    for (let i = 0; i < 300; i++) await kindAt(300)
    let [low, high] = [300, 30_000]
    while (high - low > 8) {
      const middle = (low + high) >> 1
      if ((await kindAt(middle)) === 'stack') high = middle
      else low = middle
    }
    const kinds = new Set<string | undefined>()
    for (let levels = low - 10; levels < low + 2000 && !kinds.has('stack'); levels++)
      kinds.add(await kindAt(levels))
    kinds.delete('stack')
    expect([...kinds]).toEqual(['exception'])
  }, 120_000)

  test('of a call is placed where the program made it', async () => {
    const failing = {
      bad: () => {
        throw new Error('it is broken')
      },
    }
    const { error } = await run('const a = 1\nawait null\nawait tools.bad()', failing)
    expect(error?.message).toMatch(/^ToolCallError: it is broken\n\n.*> 3 \| await tools\.bad\(\)/s)
  })

  test.each([
    ['a text', "throw 'no'", 'Thrown: no'],
    ['undefined', 'throw undefined', 'Thrown: undefined'],
    ['an object', 'throw { a: 1 }', 'Thrown: {"a":1}'],
    [
      'an error whose parts throw',
      'throw { get name() { throw 1 } , __proto__: Error.prototype }',
      'Thrown:',
    ],
    [
      'an error with a hostile message',
      'const e = new Error("a"); Object.defineProperty(e, "message", { get() { throw 1 } }); throw e',
      'Error',
    ],
  ])('may be %s', async (_what, program, message) => {
    const { error } = await run(program)
    expect(error?.kind).toBe('exception')
    expect(error?.message.startsWith(message)).toBe(true)
  })
})

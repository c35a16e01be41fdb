import { expectEqual, expectMatch, expectRows } from '../expect.js'
import type { Bench, BenchCase, Functions } from './bench.js'

const echo: Functions = { echo: ({ args }) => args[0] ?? null }

// The expression of a program, and what it is on the host.
const WHOLE: readonly (readonly [string, string, unknown])[] = [
  ['null', 'null', null],
  ['booleans', '[true, false]', [true, false]],
  ['numbers', '[0, 1.5, -3, 1e21, 5e-324, 2 ** 53]', [0, 1.5, -3, 1e21, 5e-324, 2 ** 53]],
  ['empty values', '["", [], {}]', ['', [], {}]],
  ['a number alone', '0.1', 0.1],
  ['a text alone', '"a"', 'a'],
  ['keys in the order in which they were made', '{ b: 1, a: 2 }', { b: 1, a: 2 }],
  ['nested data', '{ a: [1, { b: null }], "c d": "x" }', { a: [1, { b: null }], 'c d': 'x' }],
  ['text with NUL', '"a\\0b"', 'a\0b'],
  ['lone surrogates', '["\\ud800x", "\\udc00"]', ['\ud800x', '\udc00']],
  ['wide characters and separators', '"😀é\\u2028\\u2029"', '😀é\u2028\u2029'],
  ['a long text', '"é".repeat(1e5)', 'é'.repeat(1e5)],
  [
    'keys of every kind',
    '{ "": 1, "a\\0": 2, "\\ud800": 3, "0": 4 }',
    { '': 1, 'a\0': 2, '\ud800': 3, '0': 4 },
  ],
  ['an own __proto__', 'JSON.parse(\'{"__proto__":{"a":1}}\')', JSON.parse('{"__proto__":{"a":1}}')],
  ['names of Object.prototype', '{ constructor: 1, toString: 2 }', { constructor: 1, toString: 2 }],
  ['an object without a prototype', 'Object.assign(Object.create(null), { a: 1 })', { a: 1 }],
  ['a getter, read once', '(() => { let n = 0; return { get a() { return ++n } } })()', { a: 1 }],
  ['a shared object, twice', '(() => { const o = {}; return [o, o] })()', [{}, {}]],
]

// The expression, and what its refusal must name: the path from the value on, and what stands there.
const LOSSY: readonly (readonly [string, string, RegExp])[] = [
  ['NaN', '{ a: [NaN] }', /\.a\[0\].*NaN/],
  ['Infinity', '[1, Infinity]', /\[1\].*Infinity/],
  ['-0', '[-0]', /\[0\].*-0/],
  ['an undefined property', '{ a: { "b c": undefined } }', /\.a\["b c"\].*undefined/],
  ['a BigInt', '{ n: 12n }', /\.n.*BigInt/i],
  ['a Date', '{ d: new Date() }', /\.d.*Date/],
  ['a Map', '[new Map()]', /\[0\].*Map/],
  ['a Set', '{ s: new Set() }', /\.s.*Set/],
  ['a function', '{ f() {} }', /\.f.*function/],
  ['a symbol', '[Symbol()]', /\[0\].*symbol/i],
  ['a symbol as key', '{ [Symbol()]: 1 }', /symbol/i],
  ['a hidden property', 'Object.defineProperty({}, "a", { value: 1 })', /hidden/],
  ['a hole', '[[, 1]]', /\[0\].*hole/],
  ['an array with more than items', 'Object.assign([1], { a: 1 })', /extra/],
  ['an instance of a class', '{ p: new (class Point {})() }', /\.p.*Point/],
  ['a promise', '{ p: Promise.resolve() }', /\.p.*Promise/],
  ['a cycle', '(() => { const o = {}; o.o = o; return o })()', /circular|cycle/i],
  ['a getter that throws', '{ get a() { throw 1 } }', /\.a\b/],
]

async function refuseAsValue({ run }: Bench): Promise<void> {
  await expectRows(LOSSY, async ([, expression, message]) => {
    const { value, error } = await run(`return ${expression}`)
    expectEqual([value, error?.kind], [undefined, 'invalid-output'], 'value and kind')
    expectMatch(error?.message, message, 'message')
  })
}

async function refuseAsArgument({ run }: Bench): Promise<void> {
  await expectRows(LOSSY, async ([, expression, message]) => {
    let calls = 0
    const program = `let caught = null
try { await tools.count(${expression}) } catch (e) { caught = [e instanceof ToolCallError, e.message] }
return [caught, await tools.count(1)]`
    const { value, error } = await run(program, { functions: { count: () => ++calls } })
    expectEqual(error, undefined, 'failure')
    const [caught, after] = value as [[boolean, string] | null, number]
    // The host never heard of the refused one.
    expectEqual([caught?.[0], after], [true, 1], 'rejected as ToolCallError, and the next call is the first')
    expectMatch(caught?.[1], message, 'message')
  })
}

async function refuseAsAnswer({ returned }: Bench): Promise<void> {
  const circular: { self?: unknown } = {}
  circular.self = circular
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const functions = {
    nan: () => Number.NaN,
    circular: () => circular,
    deep: () => deep,
    date: () => new Date(0),
    bigint: () => 1n,
    ok: () => 1,
  }
  const program = `const names = ['nan', 'circular', 'deep', 'date', 'bigint', 'ok']
const all = await Promise.allSettled(names.map(name => tools[name]()))
return all.map(r => r.status === 'fulfilled' ? r.value : r.reason.name)`
  expectEqual(await returned(program, functions), [...Array(5).fill('ToolCallError'), 1], 'answers')
}

const SABOTAGE = `const evil = () => { throw 'evil' }
const mine = globalThis.tools
for (const p of [Object.prototype, Array.prototype, Promise.prototype, String.prototype, Function.prototype, RegExp.prototype])
  for (const key of Object.getOwnPropertyNames(p)) if (key !== 'constructor') try { p[key] = evil } catch {}
Promise.prototype.constructor = evil
Array.prototype[Symbol.iterator] = evil
Object.prototype.toJSON = evil
JSON.stringify = JSON.parse = Object.keys = Array.isArray = Reflect.ownKeys = evil`

/** What crosses the line between program and host, and what does not. */
export const VALUE_CASES: readonly BenchCase[] = [
  [
    'what a program returns arrives as it was, whatever JSON can carry',
    async ({ returned }) => {
      await expectRows(WHOLE, async ([, expression, value]) => {
        expectEqual(await returned(`return ${expression}`), value, 'value')
      })
    },
  ],
  [
    'arguments and answers arrive as they were, whatever JSON can carry',
    async ({ returned }) => {
      await expectRows(WHOLE, async ([, expression, value]) => {
        const seen: unknown[] = []
        const functions: Functions = {
          echo: ({ args }) => {
            seen.push(...args)
            return args[0]
          },
        }
        expectEqual(await returned(`return await tools.echo(${expression})`, functions), value, 'answer')
        expectEqual(seen, [value], 'arguments')
      })
    },
  ],
  [
    'a value of a thousand levels crosses both ways',
    async ({ returned }) => {
      const program = 'let v = 1; for (let i = 0; i < 1000; i++) v = [v]; return await tools.echo(v)'
      let value = await returned(program, echo)
      let levels = 0
      for (; Array.isArray(value); levels++) value = value[0]
      expectEqual([levels, value], [1000, 1], 'levels and core')
    },
  ],
  [
    'undefined is no value, and null is one',
    async ({ run }) => {
      expectEqual('value' in (await run('return')), false, 'a value of nothing')
      expectEqual('value' in (await run('const a = 1')), false, 'a value of no return')
      expectEqual((await run('return null')).value, null, 'null')
      const answers = await run('return [typeof await tools.none(), await tools.nil()]', {
        functions: { none: () => undefined, nil: () => null },
      })
      expectEqual(answers.value, ['undefined', null], 'answers')
    },
  ],
  ['a value that JSON cannot carry is invalid-output, by its path', refuseAsValue],
  [
    'an argument that JSON cannot carry rejects its call alone, by its path, and the host hears nothing',
    refuseAsArgument,
  ],
  ['an answer that JSON cannot carry rejects its call alone', refuseAsAnswer],
  [
    'arguments are those of the moment of the call',
    async ({ returned }) => {
      const program = 'const o = { a: 1 }; const answer = tools.echo(o); o.a = 2; return [await answer, o]'
      expectEqual(await returned(program, echo), [{ a: 1 }, { a: 2 }], 'values')
    },
  ],
  [
    'answers and arguments are copies: what one side does to them does not reach the other',
    async ({ returned }) => {
      const kept = { list: [1], text: 'a' }
      const change = ({ args }: { readonly args: readonly unknown[] }): number => {
        try {
          Object.assign(args[0] as object, { text: 'host' })
        } catch {
          // It may be frozen.
        }
        return 1
      }
      const program = `const own = { text: 'program' }
await tools.change(own)
const answer = await tools.get()
try { answer.text = 'b'; answer.list.push(2) } catch {}
return [own, await tools.get()]`
      const value = await returned(program, { get: () => kept, change })
      expectEqual(value, [{ text: 'program' }, { list: [1], text: 'a' }], 'the argument, and the next answer')
      expectEqual(kept, { list: [1], text: 'a' }, 'what the host has kept')
    },
  ],
  [
    'undefined arguments at the end are left out, and others are refused',
    async ({ run }) => {
      const functions: Functions = { all: ({ args }) => args }
      const left = await run('return await tools.all("a", [1], undefined, undefined)', { functions })
      expectEqual(left.value, ['a', [1]], 'arguments')
      const refused = await run('await tools.all(undefined, 1)', { functions })
      expectEqual(refused.error?.kind, 'exception', 'kind')
    },
  ],
  [
    'toJSON is never called',
    async ({ returned }) => {
      const program = `let called = 0
Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => { called++; return 'x' }
const answer = await tools.echo({ a: ['b'] })
return [answer, called]`
      expectEqual(await returned(program, echo), [{ a: ['b'] }, 0], 'value')
    },
  ],
  [
    'a program that has replaced every method crosses as any other',
    async ({ returned }) => {
      expectEqual(await returned(`${SABOTAGE}\nreturn [1, { a: 'x' }]`), [1, { a: 'x' }], 'value')
      const refused = await returned(
        `${SABOTAGE}\nlet failed = 0\ntry { await mine.echo({ a: NaN }) } catch { failed = 1 }\nreturn failed`,
        echo,
      )
      expectEqual(refused, 1, 'a lossy argument is refused all the same')
    },
  ],
]

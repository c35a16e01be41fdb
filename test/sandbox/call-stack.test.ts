import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { returned, run } from './support/run-code.js'

const fails = {
  fail: () => {
    throw new Error('no')
  },
}

/**
 * Each program calls `here()` somewhere; what that comes to is the stack of an error that the engine made there and the stack
 * of a call's error, made there too.
 */
const HERE = `const here = async () => { const own = new Error().stack; const call = tools.fail().catch(e => e.stack); return [own, await call] }
`
const places: readonly (readonly [string, string])[] = [
  ['the body', 'return await here()'],
  ['an arrow without a name', 'return await (() => here())()'],
  ['a named function', 'function named() {\n  return here()\n}\nreturn await named()'],
  [
    'functions in functions, over many lines',
    `const a = () => {


  return b(1,
    2)
}
function b(x: number, y: number) { const f = { deep: { of: () => here() } }
  return f.deep.of() }
return await a()`,
  ],
  ['a generator', 'function* g() { yield here() }\nreturn await g().next().value'],
  [
    'an async generator',
    'async function* g() { await null; yield await here() }\nreturn (await g().next()).value',
  ],
  ['a function that went on', 'await tools.fail().catch(() => 1)\nawait null\nreturn await here()'],
  ['a class', 'class Käse { p; constructor() { this.p = here() } }\nreturn await new Käse().p'],
  ['a static block', 'let p; class A { static { p = here() } }\nreturn await p'],
  [
    'a getter, a method and a setter',
    'const o = { p: null, get g() { return this.m() }, m() { this.s = 1; return this.p }, set s(_) { this.p = here() } }\nreturn await o.g',
  ],
  [
    'built-in functions',
    'return await [1].map(() => [2].flatMap(() => Reflect.apply(here, null, []))[0])[0]',
  ],
  ['a replacer of text', 'let p; "a".replace(/a/, () => { p = here(); return "" })\nreturn await p'],
  ['a comparator', 'let p; [2, 1].sort(() => { p ??= here(); return 0 })\nreturn await p'],
  ['a proxy', 'return await new Proxy({}, { get: () => here() }).x'],
  ['a coercion', 'let p; "" + { toString() { p = here(); return "" } }\nreturn await p'],
  ['a bound function', 'return await here.bind(null)()'],
  [
    'eval',
    'let p; const keep = q => { p = q }; globalThis.keep = keep; globalThis.here = here\n;(0, eval)("keep(here())")\nreturn await p',
  ],
  ['a made function', 'globalThis.here = here\nreturn await new Function("return here()")()'],
  ['a timer', 'return await new Promise(done => setTimeout(() => done(here()), 1))'],
  ['a long line', `const x = '${'é😀'.repeat(300)}'; return await (() => here())()`],
  [
    'a long function',
    `let n = 0\n${'n += 1; if (n > 1e6) { n = 0 }\n'.repeat(700)}return await (() => { return here() })()`,
  ],
  ['a deep recursion', 'const down = n => n === 0 ? here() : down(n - 1)\nreturn await down(40)'],
  ['a name that was taken away', 'const f = () => here(); delete f.name\nreturn await f()'],
  [
    'a name that was changed',
    'const f = () => here(); Object.defineProperty(f, "name", { value: "other" })\nreturn await f()',
  ],
  [
    'a name that is no text',
    'const f = () => here(); Object.defineProperty(f, "name", { value: {} })\nreturn await f()',
  ],
  [
    'a name that is computed',
    'const k = "a".repeat(30) + "b"; const o = { [k]() { return here() } }\nreturn await o[k]()',
  ],
  [
    'a static member called name',
    'class A { static name() {} constructor() { this.p = here() } }\nreturn await new A().p',
  ],
]

/** What of a stack is the program's: the guest's own frames, and built-in functions under the last of the program's, are not. */
function programFrames(stack: string): readonly string[] {
  const lines = stack.split('\n').filter(line => line !== '' && !line.includes('(toolgate:'))
  while (lines.at(-1)?.endsWith('(native)')) lines.pop()
  return lines
}

describe('the stack of an error that a call ends with is that of the call, as the engine would say it', () => {
  test.each(places)('in %s', async (_what, program) => {
    const [own, call] = (await returned(HERE + program, fails)) as [string, string]
    const [ownHere, ...ownRest] = programFrames(own)
    const [callHere, ...callRest] = programFrames(call)
    expect(callRest).toEqual(ownRest)
    expect(ownHere).toMatch(/at here \(program\.ts:1:\d+\)/)
    expect(callHere).toMatch(/at here \(program\.ts:1:\d+\)/)
    // The call stands further right in the same line.
    expect(call.split('\n')[0]).not.toBe(own.split('\n')[0])
  })

  test('to the column of each of many calls', async () => {
    const calls = Array.from({ length: 60 }, (_, i) => `${' '.repeat(i % 7)}tools.fail()`)
    const { error } = await run(
      `await Promise.allSettled([${calls.slice(0, 59).join(',\n')}])\n${calls[59]}\nawait ${calls[3]}`,
      fails,
    )
    expect(error?.message).toMatch(
      /^ToolCallError: no\n\n.*> 61 \| await {4}tools\.fail\(\)\n.*\n {4}at 61:\d+$/s,
    )
  })

  test('but for what lies deep under a long function', async () => {
    const long = `const f = (d: number): unknown => {\n${'  if (d < 0) d += 1\n'.repeat(8000)}  return d > 0 ? f(d - 1) : tools.fail()\n}\nawait f(60)`
    const { error } = await run(long, fails, {}, quickJsRuntime({ limits: { cpuMs: 20_000 } }))
    expect(error?.message).toMatch(/> 8002 \| {3}return d > 0.*\n {4}at f \(8002:\d+\)/s)
  })

  test('when its arguments cannot cross', async () => {
    const program = 'const send = x => tools.fail(x)\nawait send({ a: 1n })'
    expect((await run(program, fails)).error?.message).toMatch(/at send \(1:29\)\n {4}at 2:11$/)
  })
})

import { quickJsRuntime } from 'toolgate/quickjs'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { describe, expect, test } from 'vitest'
import { run } from './support/run-code.js'

const patient = quickJsRuntime({ limits: { cpuMs: 20_000, memoryBytes: 512 * 1024 * 1024 } })
const failureOf = async (program: string) => (await run(program, {}, {}, patient)).error

describe('a program cannot choose the kind of its failure', () => {
  const forged: readonly (readonly [string, string])[] = [
    ['an error that reads like the end of the stack', 'throw new InternalError("stack overflow")'],
    ['a syntax error that reads like it', 'throw new SyntaxError("stack overflow")'],
    ['an error that reads like the end of memory', 'throw new InternalError("out of memory")'],
    [
      'an error of the engine with another text',
      'try { new Uint8Array(2 ** 31 - 1) } catch (e) { e.message = "stack overflow"; throw e }',
    ],
    [
      'an object with the prototype of one',
      'throw Object.setPrototypeOf(new Error("stack overflow"), InternalError.prototype)',
    ],
    ['an interruption', 'throw new InternalError("interrupted")'],
    [
      'an error after memory was short and that was caught',
      'try { new Uint8Array(2 ** 31 - 1) } catch {} throw new InternalError("no")',
    ],
    [
      'an error after the stack had ended and that was caught',
      'const f = () => f() + 1; try { f() } catch {} throw new InternalError("no")',
    ],
    ['a call too many', 'throw Object.assign(new ToolCallError("x"), { code: "LIMIT_EXCEEDED" })'],
    ['null', 'throw null'],
  ]
  test.each(forged)('by %s', async (_what, program) => {
    expect((await failureOf(program))?.kind).toBe('exception')
  })
})

describe('what is nested too deeply ends as stack, with what to do', () => {
  const deep: readonly (readonly [string, string])[] = [
    ['recursion', 'const f = n => f(n + 1) + 1; return f(0)'],
    ['recursion of async functions', 'const f = async n => await f(n + 1); await f(0)'],
    ['recursion through getters', 'const o = { get a() { return this.a } }; return o.a'],
    ['recursion through callbacks', 'const f = () => [1].map(f); return f()'],
    ['recursion through a proxy', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.a'],
    ['recursion through toString', 'const o = { toString() { return "" + o } }; return "" + o'],
    ['a chain of proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.a'],
    [
      'a chain of bound functions',
      'let f = () => 1; for (let i = 0; i < 5000; i++) f = f.bind(); return f()',
    ],
    ['deep source', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['deep source in eval', 'return eval("(".repeat(1e5) + "1" + ")".repeat(1e5))'],
    ['deep source in Function', 'return new Function("return " + "[".repeat(1e5) + "]".repeat(1e5))'],
    ['functions in one another', `return ${'() => '.repeat(900)}1`],
    [
      'functions in one another in Function',
      'return new Function("function f(){".repeat(1300) + "}".repeat(1300))',
    ],
    [
      'async functions in one another in Function',
      'return new Function("async function f(){".repeat(1000) + "}".repeat(1000))',
    ],
    ['classes in fields in eval', 'return (0, eval)("(class { a = ".repeat(900) + "1" + "})".repeat(900))'],
    ['methods in one another in eval', 'return (0, eval)("({ m() {".repeat(600) + "}})".repeat(600))'],
    ['deep JSON text', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))'],
    ['JSON.stringify of deep values', 'let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; JSON.stringify(v)'],
    ['a deep regular expression', 'return new RegExp("(?:".repeat(1e5) + ")".repeat(1e5))'],
    ['flattening without end', 'const a = []; a[0] = a; return a.flat(Infinity)'],
  ]
  test.each(deep)('%s', async (_what, program) => {
    const error = await failureOf(program)
    expect(error?.kind).toBe('stack')
    expect(error?.message).toMatch(/nested too deeply/)
    expect((await run('return 7', {}, {}, patient)).value).toBe(7)
  })

  test('recursion that fits is no failure', async () => {
    const program = 'const f = n => n === 0 ? 0 : f(n - 1) + 1; return f(300)'
    expect((await run(program, {}, {}, patient)).value).toBe(300)
  })

  // In a worker the host's stack is larger than the engine's own.
  test.each([
    ['map', 'g = g.map(x => x)', 'g.next()'],
    ['filter', 'g = g.filter(x => x)', '[...g]'],
    ['take', 'g = g.take(1)', 'for (const x of g) break'],
    ['drop', 'g = g.drop(0)', 'g.next()'],
    ['flatMap', 'g = g.flatMap(x => [x])', 'g.toArray()'],
  ])('where the engine itself does not look, too: %s', async (_what, wrap, read) => {
    const runtime = quickJsWorkerRuntime()
    const program = (levels: number): string =>
      `let g = [1, 2].values(); for (let i = 0; i < ${levels}; i++) ${wrap}; ${read}; return 'read'`
    for (const levels of [9_000, 30_000])
      expect((await run(program(levels), {}, {}, runtime)).error?.kind).toBe('stack')
    expect((await run(program(500), {}, {}, runtime)).value).toBe('read')
    await runtime.dispose?.()
  })
})

describe('code without loops and calls', () => {
  test.each([
    ['of eval', '(0, eval)("1;".repeat(2.5e6))'],
    ['of Function', 'new Function("a", "- - - - - - - - - - - - - - - - - - -a;".repeat(3e5))()'],
  ])('that never ends, %s, is stopped as computing, and the next program runs', async (_what, program) => {
    const error = await failureOf(program)
    expect(error?.kind).toBe('timeout-cpu')
    expect(error?.message).toMatch(/without a loop or a call.*Write a loop/)
    expect((await run('return 7', {}, {}, patient)).value).toBe(7)
  })

  test('may be long', async () => {
    const program = 'let x = 0; eval("x = x + 1;".repeat(1e5)); return x'
    expect((await run(program, {}, {}, patient)).value).toBe(100_000)
  })
})

describe('what the host gives and that fails', () => {
  /** Fails from the call of this number on. */
  const failing = (from: number): { readonly give: () => number; mend(): void } => {
    let left = from
    return {
      give: () => {
        if (--left < 0) throw new Error('none left')
        return 0.5
      },
      mend: () => {
        left = 100
      },
    }
  }
  const noClock = { kind: 'crash', message: "The host's clock failed: none left" }
  const noRandom = { kind: 'crash', message: "The host's source of randomness failed: none left" }
  const uuid = 'try { return crypto.randomUUID() } catch (e) { return "caught " + e }'

  test.each([
    ['its clock', 'return Date.now()', { now: failing(0) }, noClock],
    ['random bytes', uuid, { random: failing(2) }, noRandom],
    [
      'random bytes of an array',
      'try { crypto.getRandomValues(new Uint8Array(4)) } catch {} return 1',
      { random: failing(4) },
      noRandom,
    ],
    ['the seed', 'return 1', { random: failing(0) }, noRandom],
    ['half of the seed', 'return 1', { random: failing(1) }, noRandom],
  ])('is told as that, and the next program runs: %s', async (_what, program, given, expected) => {
    const [[name, { give, mend }]] = Object.entries(given) as [[string, ReturnType<typeof failing>]]
    const runtime = quickJsRuntime({ [name]: give })
    expect((await run(program, {}, {}, runtime)).error).toEqual(expected)
    mend()
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
  })

  test.each([
    ['a number of the large kind', 1n, /source of randomness failed: .*BigInt/],
    ['a symbol', Symbol('x'), /source of randomness failed: .*Symbol/],
    ['a function', () => 1, undefined],
    ['an object', { valueOf: () => 0.5 }, undefined],
    ['a promise', Promise.resolve(1), undefined],
  ])('is told alike by both runtimes of randomness that is %s', async (_what, given, told) => {
    const random = (() => given) as unknown as () => number
    const workers = quickJsWorkerRuntime({ random })
    for (const runtime of [quickJsRuntime({ random }), workers]) {
      const { error } = await run('return typeof Math.random()', {}, {}, runtime)
      if (told === undefined) expect(error).toBeUndefined()
      else expect(error).toMatchObject({ kind: 'crash', message: expect.stringMatching(told) })
    }
    await workers.dispose?.()
  })

  test('is told of a runtime in workers as well', async () => {
    const { give, mend } = failing(1)
    const runtime = quickJsWorkerRuntime({ random: give })
    expect((await run('return 1', {}, {}, runtime)).error).toEqual(noRandom)
    mend()
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
    await runtime.dispose?.()
  })
})

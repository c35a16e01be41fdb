import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { ABSENT, OWN_GLOBALS, STAND_INS } from '../../../src/sandbox/quickjs/guest/names.js'
import { returned, run } from '../support/run-code.js'

const LAZY = ['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'structuredClone', 'DOMException']
const INTL = [
  'NumberFormat',
  'PluralRules',
  'DateTimeFormat',
  'ListFormat',
  'RelativeTimeFormat',
  'Collator',
  'getCanonicalLocales',
]
const told = OWN_GLOBALS.replace(' (en-US)', '').split(', ')

describe('what a program finds', () => {
  test('is all that it is told, and functions except for three objects', async () => {
    const types = await returned(`return ${JSON.stringify(told)}.map(name => [name, eval('typeof ' + name)])`)
    const objects = ['console', 'Intl']
    expect(types).toEqual(told.map(name => [name, objects.includes(name) ? 'object' : 'function']))
  })

  test('is nothing more than the language and what it is told', async () => {
    const names = (await returned('return Object.getOwnPropertyNames(globalThis)')) as string[]
    const language = Object.getOwnPropertyNames(new Function('return this')() as object).filter(
      name =>
        /^[A-Z]/.test(name) ||
        /^(?:un)?escape$|^(?:en|de)code|^is|^parse|^eval$|^undefined$|^globalThis$/.test(name),
    )
    const known = new Set([
      ...language,
      ...told.map(name => name.replace(/\..*/, '')),
      ...LAZY,
      ...Object.keys(STAND_INS),
      'tools',
      'ToolCallError',
      'InternalError',
      'Iterator',
      'Float16Array',
    ])
    expect(names.filter(name => !known.has(name))).toEqual([])
  })

  test('is not enumerable', async () => {
    expect(await returned('return Object.keys(globalThis)')).toEqual([])
  })

  test.each(INTL)('has Intl.%s', async name => {
    expect(await returned(`return [typeof Intl.${name}, Intl.${name}.name]`)).toEqual(['function', name])
  })

  test.each([...ABSENT])('%s is not defined, and who uses it is told what exists', async name => {
    expect(await returned(`return typeof ${name}`)).toBe('undefined')
    const { error } = await run(`return ${name}.anything`)
    expect(error?.kind).toBe('exception')
    expect(error?.message).toContain(`${name} does not exist in this sandbox. What exists: tools, console`)
  })

  const uses = [
    (name: string) => `${name}()`,
    (name: string) => `new ${name}()`,
    (name: string) => `${name}.member`,
    (name: string) => `${name}.member = 1`,
    (name: string) => `'member' in ${name}`,
  ]
  const isUsed = (name: string): readonly (readonly [string])[] =>
    uses.slice(STAND_INS[name] === 'function' ? 0 : 2).map(use => [use(name)] as const)
  test.each(Object.keys(STAND_INS).flatMap(isUsed))('%s says what exists, to a catch too', async use => {
    const message = await returned(`try { ${use} } catch (error) { return error.message }`)
    expect(message).toMatch(/does not exist in this sandbox\. What exists: tools, console/)
  })

  test('a stand-in can be printed, passed to a promise and shadowed', async () => {
    const program = `console.log(String(typeof process)); await Promise.resolve(fetch)
const require = name => name
return require('own')`
    expect(await returned(program)).toBe('own')
  })
})

describe('what is made when it is touched', () => {
  test.each(LAZY)('%s is a plain property once it is used', async name => {
    const program = `const first = ${name}, d = Object.getOwnPropertyDescriptor(globalThis, '${name}')
return [d.value === first, d.writable, d.configurable, d.enumerable, ${name} === first]`
    expect(await returned(program)).toEqual([true, true, true, false, true])
  })

  test('can be replaced before it is used', async () => {
    expect(
      await returned('globalThis.URL = 5; Intl.NumberFormat = 6; return [URL, Intl.NumberFormat]'),
    ).toEqual([5, 6])
  })

  test('leaves no other trace among the globals', async () => {
    const program = `const before = Object.getOwnPropertyNames(globalThis).length
new URL('http://a'); structuredClone({}); (1).toLocaleString(); new Date().toLocaleString(); new TextEncoder()
new Intl.ListFormat(); new Intl.RelativeTimeFormat(); 'a'.localeCompare('b')
return Object.getOwnPropertyNames(globalThis).length - before`
    expect(await returned(program)).toBe(0)
  })

  test('leaves no trace for the next run', async () => {
    await returned(
      'URL.left = 1; Intl.left = 1; Number.prototype.toLocaleString.left = 1; return new URL("http://a").href',
    )
    expect(
      await returned('return [URL.left, Intl.left, Number.prototype.toLocaleString.left].map(x => typeof x)'),
    ).toEqual(['undefined', 'undefined', 'undefined'])
  })

  // Each takes something away or changes it before the first use; what is left is the program's own trouble.
  const poisons = [
    'Array.prototype.map = Array.prototype.push = null',
    'Object.defineProperty = Object.create = null',
    'Object.prototype.get = () => { throw 1 }',
    'Object.defineProperty(Object.prototype, "value", { get() { throw 1 } })',
    'globalThis.JSON = { parse: () => ({}) }',
    'globalThis.eval = () => () => ({ URL: 1 })',
    'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 1',
    'globalThis.Proxy = globalThis.Map = globalThis.WeakMap = globalThis.Symbol = undefined',
    'String.prototype.split = String.prototype.replace = () => []',
    'RegExp.prototype.exec = () => null',
    'Reflect.apply = Reflect.construct = () => { throw new Error("x") }',
    'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }',
  ]
  const patient = quickJsRuntime()
  test.each(poisons)('%s harms nobody but the program', async poison => {
    const uses = [
      'new URL("http://a/b").pathname',
      'structuredClone({ a: 1 }).a',
      '(1234.5).toLocaleString()',
      'new Date(0).toLocaleDateString("en-US", { timeZone: "Asia/Tokyo" })',
      '"a".localeCompare("b")',
      'new TextEncoder().encode("a").length',
    ]
    const runtime = quickJsRuntime({ limits: { cpuMs: 600 } })
    for (const use of uses) {
      const { error } = await run(`${poison}; return String(${use})`, {}, {}, runtime)
      expect(['exception', 'stack', 'timeout-cpu', 'memory', undefined]).toContain(error?.kind)
    }
    expect((await run('return new URL("http://a/b").pathname', {}, {}, patient)).value).toBe('/b')
  })

  test('a program that sees what the parts are handed gets nothing of the host', async () => {
    const program = `const seen = []
const { create } = Object
for (const [owner, name] of [[Object, 'create'], [Object, 'defineProperty'], [Reflect, 'ownKeys'], [Array.prototype, 'push']]) {
  const native = owner[name]
  owner[name] = function (...args) { seen.push(...args.slice(0, 4)); return Reflect.apply(native, this, args) }
}
try { new URL('http://a'); (5).toLocaleString() } catch {}
return seen.filter(x => typeof x === 'function').map(f => { try { return f('C[1,0,"secret",[]]') } catch { return 'threw' } }).filter(x => typeof x === 'string' && x !== 'threw').length`
    let called = 0
    const functions = { secret: () => (called += 1) }
    await run(program, functions)
    expect(called).toBe(0)
  })

  test('counts against the memory of the program', async () => {
    const small = quickJsRuntime({ limits: { memoryBytes: 256 * 1024 } })
    const { error } = await run('return (5).toLocaleString()', {}, {}, small)
    expect(error?.kind).toBe('memory')
    expect((await run('return 1', {}, {}, small)).value).toBe(1)
  })

  test('counts against the time of the program', async () => {
    const short = quickJsRuntime({ limits: { cpuMs: 1 } })
    const { error } = await run('return new URL("http://a").href', {}, {}, short)
    expect(error?.kind).toBe('timeout-cpu')
  })

  test('is made again where there was no room for it', async () => {
    const program = `const deep = n => n === 0 ? new URL('http://a/b').pathname : deep(n - 1)
for (let n = 900; n > 0; n -= 50) try { deep(n) } catch {}
return new URL('http://a/b').pathname`
    expect(await returned(program)).toBe('/b')
  })

  test('fits well into the default limits, all of it', async () => {
    const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })
    const program = `new URL('http://a'); structuredClone([]); (1).toLocaleString(); 'a'.localeCompare('b'); new TextDecoder()
new Intl.ListFormat(); new Intl.RelativeTimeFormat('en').format(1, 'day')
return new Date(0).toLocaleString('en-US', { timeZone: 'Asia/Tokyo' })`
    expect((await run(program, {}, {}, runtime)).value).toBe('1/1/1970, 9:00:00 AM')
  })
})

describe('what the world outside gives', () => {
  test('crypto and performance follow the random numbers and the clock of the host', async () => {
    let state = 0
    let clock = 1000
    const runtime = quickJsRuntime({
      random: () => {
        state = (state + 0.37) % 1
        return state
      },
      now: () => clock,
    })
    const functions = {
      wait: () => {
        clock += 250
        return 1
      },
    }
    const program = `const first = performance.now(); await tools.wait()
return [crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))], performance.now() - first]`
    const one = await run(program, functions, {}, runtime)
    state = 0
    const two = await run(program, functions, {}, runtime)
    expect(one.value).toEqual(two.value)
    expect(one.value).toEqual([
      expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      expect.any(Array),
      250,
    ])
  })

  test('performance.now counts from the start of the program', async () => {
    const value = await returned('return performance.now()')
    expect(value).toBeLessThan(5000)
  })

  test('random values fill any array of integers in place and nothing else', async () => {
    const program = `const out = []
for (const C of [Int8Array, Uint16Array, Uint32Array, BigUint64Array, Uint8ClampedArray]) {
  const a = new C(64)
  out.push(crypto.getRandomValues(a) === a && new Set(a).size > 10)
}
const part = new Uint8Array(new ArrayBuffer(64), 16, 32)
crypto.getRandomValues(part)
out.push(new Uint8Array(part.buffer).slice(0, 16).every(b => b === 0), new Uint8Array(part.buffer).slice(48).every(b => b === 0))
for (const bad of [new Float32Array(1), [1], 'x', undefined, new DataView(new ArrayBuffer(1)), new Uint8Array(65537)])
  try { crypto.getRandomValues(bad); out.push('filled') } catch (error) { out.push('refused') }
return out`
    expect(await returned(program)).toEqual([...Array(7).fill(true), ...Array(6).fill('refused')])
  })

  test('identifiers differ', async () => {
    const program = 'return new Set(Array.from({ length: 200 }, () => crypto.randomUUID())).size'
    expect(await returned(program)).toBe(200)
  })
})

describe('what the new values look like', () => {
  test('printed, a URL is its text', async () => {
    const { logs } = await run(
      'console.log(new URL("http://a/b?c=d"), { p: new URLSearchParams("a=1&b") }, [new Uint8Array(2)])',
    )
    expect(logs).toEqual(['"http://a/b?c=d" {"p":"a=1&b="} [Uint8Array [0,0]]'])
  })

  test('printed, what only pretends to be one is itself', async () => {
    const { logs, error } = await run(
      'class URL { get href() { throw 1 } }; console.log(new URL()); console.log(Object.create(globalThis.URL.prototype))',
    )
    expect(error).toBeUndefined()
    expect(logs).toEqual(['URL {}', 'URL {}'])
  })

  test.each([
    ['new URL("http://a")', 'a URL; use url.href'],
    ['new URLSearchParams("a=1")', 'a URLSearchParams; use params.toString()'],
    ['new Uint8Array(2)', 'a Uint8Array; use Array.from(it)'],
    ['new BigUint64Array(2)', 'a BigUint64Array; use Array.from(it)'],
  ])('%s cannot cross, and what to write is told', async (expression, told) => {
    const { error } = await run(`return { a: ${expression} }`)
    expect(error?.kind).toBe('invalid-output')
    expect(error?.message).toContain(`value.a is ${told}`)
  })
})

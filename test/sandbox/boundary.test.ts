import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { returned, run, toolsOf } from './support/run-code.js'

// What ends by itself may take its time on a busy machine.
const patient = quickJsRuntime({ limits: { cpuMs: 20_000 } })
const echo = { echo: ({ args }: { args: readonly unknown[] }) => args[0] ?? null }

describe('values that cross', () => {
  const whole: readonly (readonly [string, string, unknown])[] = [
    ['text with NUL', 'return "a\\0b"', 'a\0b'],
    ['a lone surrogate', 'return "\\ud800x"', '\ud800x'],
    ['wide characters', 'return "😀"', '😀'],
    ['nested data', 'return { a: [1, { b: null }], "c d": "" }', { a: [1, { b: null }], 'c d': '' }],
    ['a getter, read once', 'let n = 0; return { get a() { return ++n } }', { a: 1 }],
    ['an object without a prototype', 'return Object.assign(Object.create(null), { a: 1 })', { a: 1 }],
    ['a proxy of plain data', 'return new Proxy({ a: 1 }, {})', { a: 1 }],
    ['a shared object twice', 'const o = {}; return [o, o]', [{}, {}]],
  ]
  test.each(whole)('%s', async (_what, program, value) => {
    expect(await returned(program)).toEqual(value)
    const call = `${program.replace(/return (.*)$/, 'return await tools.echo($1)')}`
    expect(await returned(call, echo)).toEqual(value)
  })

  test('an own __proto__ is data on both sides', async () => {
    const { value } = await run('return JSON.parse(\'{"__proto__":{"a":1}}\')')
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}')
  })

  test('three thousand levels', async () => {
    const program = 'let v = 1; for (let i = 0; i < 3000; i++) v = [v]; return await tools.echo(v)'
    let value = await returned(program, echo)
    let levels = 0
    for (; Array.isArray(value); levels++) value = value[0]
    expect([levels, value]).toEqual([3000, 1])
  })

  const lossy: readonly (readonly [string, string, RegExp])[] = [
    ['NaN', '{ a: [NaN] }', /value\.a\[0\] is NaN/],
    ['Infinity', '[1, Infinity]', /value\[1\] is Infinity/],
    ['-0', '-0', /value is -0/],
    ['an undefined property', '{ a: { "b c": undefined } }', /value\.a\["b c"\] is undefined/],
    ['a BigInt', '{ n: 12n }', /value\.n is a BigInt/],
    ['a Date', '{ d: new Date() }', /value\.d is a Date; use date\.toISOString\(\)/],
    ['a Map', 'new Map()', /value is a Map/],
    ['a Set', '[new Set()]', /value\[0\] is a Set/],
    ['a function', '{ f() {} }', /value\.f is a function/],
    ['a symbol', '[Symbol()]', /value\[0\] is a symbol/],
    ['a symbol key', '{ [Symbol()]: 1 }', /symbol or hidden/],
    ['a hidden property', 'Object.defineProperty({}, "a", { value: 1 })', /symbol or hidden/],
    ['a hole', '[, 1]', /value is an array with holes/],
    ['an array with properties', 'Object.assign([1], { a: 1 })', /extra properties; use \[\.\.\.array/],
    ['a class instance', 'new (class Point {})()', /an instance of Point/],
    ['a promise inside', '{ p: Promise.resolve() }', /value\.p is a Promise; await it/],
    ['a cycle', '(() => { const o = {}; o.o = o; return o })()', /circular/],
    ['a throwing getter', '{ get a() { throw 1 } }', /value\.a is not readable/],
    [
      'a very deep value',
      '(() => { let v = 1; for (let i = 0; i < 1e5; i++) v = [v]; return v })()',
      /deeper than 4000/,
    ],
  ]
  test.each(lossy)('%s is refused with its path', async (_what, expression, message) => {
    const { error } = await run(`return ${expression}`, {}, {}, patient)
    expect(error?.kind).toBe('invalid-output')
    expect(error?.message).toMatch(message)
    const caught = await returned(
      `try { await tools.echo(${expression}); return 'passed' } catch (e) { return [e instanceof ToolCallError, e.code, e.message] }`,
      echo,
    )
    expect(caught).toEqual([
      true,
      'INVALID_ARGS',
      expect.stringMatching(new RegExp(message.source.replace('value', 'tools\\.echo: arguments'))),
    ])
  })

  test('toJSON is never called', async () => {
    const program = `let called = 0
Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => { called++; return 'x' }
const answer = await tools.echo({ a: ['b'] })
return [answer, called]`
    expect(await returned(program, echo)).toEqual([{ a: ['b'] }, 0])
  })

  test('every global and prototype may be replaced', async () => {
    const program = `for (const name of Object.getOwnPropertyNames(globalThis))
  if (!['tools', 'globalThis', 'Object', 'Array', 'Promise', 'String', 'Function', 'RegExp'].includes(name)) try { globalThis[name] = () => { throw 'global' } } catch {}
const tools = globalThis.tools
const evil = () => { throw 'evil' }
for (const p of [Object.prototype, Array.prototype, Promise.prototype, String.prototype, Function.prototype, RegExp.prototype])
  for (const key of Object.getOwnPropertyNames(p)) { if (key !== 'constructor') try { p[key] = evil } catch {} }
Promise.prototype.constructor = evil
Array.prototype[Symbol.iterator] = evil
return [1, { a: 'x' }]`
    expect(await returned(program)).toEqual([1, { a: 'x' }])
  })

  test('setters on prototypes see nothing', async () => {
    const program = `let seen = 0
for (const key of ['0', '1', 'a', 'value', 'text', 'source'])
  for (const p of [Object.prototype, Array.prototype])
    Object.defineProperty(p, key, { __proto__: null, configurable: true, set() { seen++ } , get() { seen++ } })
await tools.echo({ k: [1, 2] })
console.log({ z: 1 })
return seen`
    expect(await returned(program, echo)).toBe(0)
  })

  test('answers that JSON cannot carry reject that call alone', async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const functions = {
      nan: () => Number.NaN,
      circular: () => circular,
      deep: () => deep,
      date: () => new Date(0),
      ok: () => 1,
    }
    const program = `const all = await Promise.allSettled([tools.nan(), tools.circular(), tools.deep(), tools.date(), tools.ok()])
return all.map(r => r.value ?? r.reason.name)`
    expect(await returned(program, functions)).toEqual([...Array(4).fill('ToolCallError'), 1])
  })
})

describe('a namespace', () => {
  const names = ['list-rows', 'list_rows', '200', 'class', '__proto__', 'constructor', 'toString']
  test('has its functions as own properties by exact name', async () => {
    const functions = Object.fromEntries(names.map(name => [name, () => name]))
    Object.defineProperty(functions, '__proto__', { value: () => '__proto__', enumerable: true })
    const program = `return [Object.keys(tools).sort(), Object.getPrototypeOf(tools), await Promise.all(${JSON.stringify(names)}.map(n => tools[n]()))]`
    expect(await returned(program, functions)).toEqual([[...names].sort(), null, names])
  })

  test('that is closed has nothing else', async () => {
    expect(await returned('return [typeof tools.nope, "nope" in tools]', echo)).toEqual(['undefined', false])
  })

  test('that is open calls any name but then', async () => {
    const namespaces = [toolsOf(echo, { open: true })]
    const program = `const t = await tools
try { await t.nope() } catch (e) { return [typeof tools.then, 'nope' in tools, Object.keys(tools), e.name, e.code, e.message, e instanceof ToolCallError] }`
    const { value } = await run(program, {}, { namespaces })
    expect(value).toEqual(['undefined', false, ['echo'], 'ToolCallError', 'UNKNOWN', 'no nope', true])
  })

  test('that lists then has it', async () => {
    const { value } = await run('return typeof tools.then', { then: () => 1 })
    expect(value).toBe('function')
  })

  test('without an error class rejects with plain errors', async () => {
    const { errorClass: _none, ...namespace } = toolsOf({})
    const program =
      'try { await tools.x() } catch (e) { return [e.name, e.constructor === Error, Object.keys(e)] }'
    const { value } = await run(program, {}, { namespaces: [{ ...namespace, open: true }] })
    expect(value).toEqual(['Error', true, ['code']])
  })

  test('takes several arguments, without undefined ones at the end', async () => {
    const functions = { all: ({ args }: { args: readonly unknown[] }) => args }
    expect(await returned('return await tools.all("a", [1], undefined, undefined)', functions)).toEqual([
      'a',
      [1],
    ])
    const { error } = await run('await tools.all(undefined, 1)', functions)
    expect(error?.message).toMatch(/arguments\[0\] is undefined/)
  })

  test.each(['no-dash', 'class', 'console', '', 'Promise'])('cannot be called "%s"', async global => {
    await expect(run('return 1', {}, { namespaces: [toolsOf({}, { global })] })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })

  test('cannot share its name with another', async () => {
    await expect(run('return 1', {}, { namespaces: [toolsOf({}), toolsOf({})] })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })
})

describe('host functions that fail', () => {
  const thrown: readonly (readonly [string, unknown, string])[] = [
    ['undefined', undefined, 'undefined'],
    ['text', 'no', 'no'],
    ['a frozen object', Object.freeze({ message: 'frozen' }), 'frozen'],
    [
      'an error whose message throws',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('y')
        },
      }),
      'an error that cannot be shown as text',
    ],
  ]
  test.each(thrown)('by throwing %s reject the call', async (_what, error, message) => {
    const functions = {
      bad: () => {
        throw error
      },
    }
    const program = 'try { await tools.bad() } catch (e) { return [e.name, e.message] }'
    expect(await returned(program, functions)).toEqual(['ToolCallError', message])
  })

  test('by throwing at once reject the call', async () => {
    const namespaces = [
      toolsOf(
        {},
        {
          functions: ['bad'],
          call() {
            throw new Error('at once')
          },
        },
      ),
    ]
    const { value } = await run(
      'try { await tools.bad() } catch (e) { return e.message }',
      {},
      { namespaces },
    )
    expect(value).toBe('at once')
  })
})

describe('the world outside', () => {
  test.each([
    ['fetch', 'await fetch("x")'],
    ['require', 'require("fs")'],
    ['process', 'return process.env.HOME'],
    ['import()', 'await import("fs")'],
  ])('%s fails with what exists', async (_what, program) => {
    const { error } = await run(program)
    expect(error?.kind).toBe('exception')
    expect(error?.message).toMatch(/does not .*What exists: tools, console/s)
  })

  test('has the clock and the randomness that the host gives', async () => {
    let state = 0
    const random = (): number => (state = (state + 0.37) % 1)
    const runtime = quickJsRuntime({ now: () => 86_400_000, random })
    const program = 'return [Date.now(), new Date().toISOString(), String(new Date()), Math.random()]'
    const first = (await run(program, {}, {}, runtime)).value as unknown[]
    state = 0
    const second = (await run(program, {}, {}, runtime)).value as unknown[]
    expect(first.slice(0, 2)).toEqual([86_400_000, '1970-01-02T00:00:00.000Z'])
    expect(first[2]).toMatch(/GMT\+0000/)
    expect(second).toEqual(first)
    const third = (await run(program, {}, {}, runtime)).value as unknown[]
    expect(third[3]).not.toBe(first[3])
  })

  test('differs in randomness from run to run by default', async () => {
    const values = await Promise.all([1, 2, 3].map(() => returned('return Math.random()')))
    expect(new Set(values).size).toBe(3)
  })

  test('is not reached by constructors, prototypes or eval', async () => {
    const program = `const seen = []
for (const f of [tools.echo, tools.echo.constructor, console.log, (async () => {}).constructor, Reflect.ownKeys.constructor]) {
  for (const expression of ['typeof process.env', 'typeof global', 'typeof window', 'typeof WebAssembly', 'typeof std', 'typeof os'])
    try { seen.push(await f.constructor('return ' + expression)()) } catch { seen.push('threw') }
}
return [...new Set(seen.filter(s => s !== 'undefined' && s !== 'threw'))]`
    expect(await returned(program, echo)).toEqual([])
  })

  test('nothing of one run is left for the next', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 2; tools.echo.left = 3; return 1', echo)
    expect(await returned('return [typeof left, typeof [].left, typeof tools.echo.left]', echo)).toEqual(
      Array(3).fill('undefined'),
    )
  })
})

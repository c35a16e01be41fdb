import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run, toolsOf } from './support/run-code.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })

class Point {
  x = 1
}
const circular: { a: { b?: unknown } } = { a: {} }
circular.a.b = circular
const revoked = (() => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
})()

describe('from the program to the host', () => {
  const refused: readonly (readonly [expression: string, path: string, what: RegExp])[] = [
    ['{ a: [NaN] }', '.a[0]', /NaN; use null or a string/],
    ['[-Infinity]', '[0]', /-Infinity/],
    ['{ a: -0 }', '.a', /-0; add 0 to it/],
    ['{ "b c": undefined }', '["b c"]', /undefined; leave the property out or use null/],
    ['{ n: 12n }', '.n', /a BigInt; use Number\(n\) or String\(n\)/],
    ['{ d: new Date(0) }', '.d', /a Date; use date\.toISOString\(\)/],
    ['[new Map()]', '[0]', /a Map; use Object\.fromEntries/],
    ['[new Set()]', '[0]', /a Set; use \[\.\.\.set\]/],
    ['(() => { const o = { a: {} }; o.a.b = o; return o })()', '.a.b', /circular/],
    ['[1, , 3]', '', /an array with holes/],
    ['{ f: () => 1 }', '.f', /a function; call it, or leave it out/],
    ['{ a: 1, toJSON() { return 2 } }', '.toJSON', /a function/],
    ['[Symbol("s")]', '[0]', /a symbol/],
    ['{ [Symbol("s")]: 1 }', '', /symbol or hidden properties/],
    ['{ get a() { throw 1 } }', '.a', /not readable: its getter threw/],
    ['{ a: { get b() { throw 1 } } }', '.a.b', /its getter threw/],
    [
      '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { p: proxy } })()',
      '.p',
      /a proxy that cannot be read/,
    ],
    ['[new Proxy({}, { ownKeys() { throw 1 } })]', '[0]', /a proxy that cannot be read/],
    ['{ p: new Proxy({ a: 1 }, { get() { throw 1 } }) }', '.p.a', /its getter threw/],
    ['[new (class Point { x = 1 })()]', '[0]', /an instance of Point; use a plain object/],
    ['[new (class List extends Array {})()]', '[0]', /a class that extends Array/],
    ['[/a/g]', '[0]', /an instance of RegExp/],
    ['[new Error("x")]', '[0]', /an instance of Error/],
    ['[new Uint8Array(2)]', '[0]', /a Uint8Array; use Array\.from/],
    ['[Object("text")]', '[0]', /an instance of String/],
    ['[Object(1)]', '[0]', /an instance of Number/],
    ['[Promise.resolve(1)]', '[0]', /a Promise; await it/],
    ['[tools]', '[0].echo', /a function/],
    ['{ a: { b: { c: [1, { d: 1n }] } } }', '.a.b.c[1].d', /a BigInt/],
  ]
  test.each(refused)(
    '%s is refused where it stands, and that can be caught',
    async (expression, path, what) => {
      let calls = 0
      const echo = () => ++calls
      const returned = await run(`return ${expression}`, { echo }, {}, runtime)
      expect(returned.error?.kind).toBe('invalid-output')
      expect(returned.error?.message).toContain(`value${path} is`)
      expect(returned.error?.message).toMatch(what)
      const program = `try { await tools.echo(${expression}) } catch (e) { return [e.name, e.code, e.message] }`
      const { value } = await run(program, { echo }, {}, runtime)
      expect(value).toEqual(['ToolCallError', 'INVALID_ARGS', expect.stringMatching(what)])
      expect((value as string[])[2]).toContain(`tools.echo: arguments${path} is`)
      expect(calls).toBe(0)
    },
  )

  const whole: readonly (readonly [expression: string, json: string])[] = [
    ['"\\ud800"', '"\\ud800"'],
    ['["\\udc00a\\ud83d"]', '["\\udc00a\\ud83d"]'],
    ['"a\\0b"', '"a\\u0000b"'],
    ['{ "\\0\\ud800": "\\u2028" }', '{"\\u0000\\ud800":"\u2028"}'],
    ['JSON.parse(\'{"__proto__":{"a":1}}\')', '{"__proto__":{"a":1}}'],
    [
      'Object.assign(Object.create(null), { constructor: 1, hasOwnProperty: 2 })',
      '{"constructor":1,"hasOwnProperty":2}',
    ],
    ['new Proxy([1, { a: 2 }], {})', '[1,{"a":2}]'],
    ['{ get a() { return [1] } }', '{"a":[1]}'],
    ['Object.freeze([Object.freeze({ a: 1 })])', '[{"a":1}]'],
    [
      '[5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2, 1e21]',
      '[5e-324,1.7976931348623157e+308,9007199254740992,0.30000000000000004,1e+21]',
    ],
    ['{ 2: "b", 1: "a", z: 0, a: 0 }', '{"1":"a","2":"b","z":0,"a":0}'],
    ['(() => { const o = { a: 1 }; return [o, o, [o]] })()', '[{"a":1},{"a":1},[{"a":1}]]'],
  ]
  test.each(whole)('%s crosses whole, both ways', async (expression, json) => {
    const program = `const v = ${expression}; return [await tools.echo(v), v]`
    let seen: unknown
    const echo = ({ args }: { args: readonly unknown[] }) => {
      seen = args[0]
      return args[0]
    }
    const { value, error } = await run(program, { echo }, {}, runtime)
    expect(error).toBeUndefined()
    expect(JSON.stringify(seen)).toBe(json)
    expect(JSON.stringify(value)).toBe(`[${json},${json}]`)
  })
})

describe('from the host to the program', () => {
  const refused: readonly (readonly [name: string, value: unknown, path: string, what: RegExp])[] = [
    ['undefined', { a: [undefined] }, '.a[0]', /undefined/],
    ['NaN', [Number.NaN], '[0]', /NaN/],
    ['negative zero', { a: -0 }, '.a', /-0/],
    ['a BigInt', { n: 12n }, '.n', /BigInt/],
    ['a Date', { d: new Date(0) }, '.d', /not a plain object/],
    ['a Map', { m: new Map() }, '.m', /not a plain object/],
    ['a cycle', circular, '', /circular/],
    ['a hole', { a: [, 1] }, '.a', /holes/],
    ['a function', { f: () => 1 }, '.f', /function/],
    ['its own toJSON', { toJSON: () => 1 }, '.toJSON', /function/],
    ['a symbol', [Symbol('s')], '[0]', /symbol/],
    ['a symbol for a key', { [Symbol('s')]: 1 }, '', /symbol or hidden/],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), '', /symbol or hidden/],
    ['an instance', { p: new Point() }, '.p', /not a plain object/],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
      '.a',
      /could not be read/,
    ],
    ['a revoked proxy', { p: revoked }, '.p', /could not be read/],
    ['a promise', { p: Promise.resolve(1) }, '.p', /not a plain object/],
  ]
  test.each(refused)('%s rejects that call, and says where', async (_name, given, path, what) => {
    const program = `try { await tools.give() } catch (e) { return [e.name, e.message, await tools.ok()] }`
    const { value } = await run(program, { give: () => given, ok: () => 1 }, {}, runtime)
    expect(value).toEqual(['ToolCallError', expect.stringMatching(what), 1])
    expect((value as string[])[1]).toContain(
      `The answer of "give" cannot cross to the program: value${path} `,
    )
  })

  const whole: readonly (readonly [name: string, value: unknown, program: string, seen: unknown])[] = [
    ['half a pair', '\ud800', 'return [v.length, v.charCodeAt(0)]', [1, 0xd800]],
    ['NUL', ['a\0b'], 'return [v[0].length, v[0].charCodeAt(1)]', [3, 0]],
    [
      'an own __proto__',
      JSON.parse('{"__proto__":{"a":1}}'),
      'return [Object.keys(v), v.a ?? null]',
      [['__proto__'], null],
    ],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { a: 1 }),
      'return [v.a, Object.getPrototypeOf(v) === Object.prototype]',
      [1, true],
    ],
    ['a proxy of plain data', new Proxy({ a: [1] }, {}), 'return v', { a: [1] }],
    [
      'three thousand levels',
      JSON.parse('['.repeat(3000) + ']'.repeat(3000)),
      'let n = 0; for (let a = v; a; a = a[0]) n++; return n',
      3000,
    ],
    ['something that looks like a promise', { then: 'x' }, 'return v.then', 'x'],
  ]
  test.each(whole)('%s arrives as it is', async (_name, given, program, seen) => {
    const { value, error } = await run(
      `const v = await tools.give()\n${program}`,
      { give: () => given },
      {},
      runtime,
    )
    expect([error, value]).toEqual([undefined, seen])
  })

  test('properties of a failure are held to the same', async () => {
    const tools = toolsOf(
      {},
      {
        functions: ['bad'],
        call: async () => ({ ok: false, message: 'm', properties: { at: new Date(0) as never } }),
      },
    )
    const program = 'try { await tools.bad() } catch (e) { return [e.name, e.message] }'
    const { value } = await run(program, {}, { namespaces: [tools] }, runtime)
    expect(value).toEqual([
      'ToolCallError',
      expect.stringMatching(/error\.properties\.at is not a plain object/),
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { returned, run } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

describe('structuredClone', () => {
  sameAsHost([
    'structuredClone({ a: [1, { b: null }], c: "x" })',
    'structuredClone(undefined)',
    'Object.is(structuredClone(-0), -0)',
    'Number.isNaN(structuredClone(NaN))',
    'String(structuredClone(12n))',
    '(d => [structuredClone(d).getTime() === d.getTime(), structuredClone(d) !== d])(new Date(5))',
    '[...structuredClone(new Map([[1, { a: 2 }]]))]',
    '[...structuredClone(new Set([1, "a"]))]',
    '(m => [m instanceof Map, m.constructor === Map, Map.prototype.get.call(m, 1), Reflect.ownKeys(m)])(structuredClone(new Map([[1, 2]])))',
    '(s => [s instanceof Set, s.constructor === Set, Set.prototype.has.call(s, 1), Reflect.ownKeys(s)])(structuredClone(new Set([1])))',
    '(m => [m instanceof Map, m.constructor === Map])(structuredClone(new (class More extends Map {})([[1, 2]])))',
    '(r => [r.source, r.flags, r.lastIndex])(structuredClone(/a+/gi))',
    '(o => { o.self = o; const c = structuredClone(o); return c.self === c && c !== o })({})',
    '(a => { const c = structuredClone([a, a]); return c[0] === c[1] && c[0] !== a })({})',
    '(m => { m.set("m", m); const c = structuredClone(m); return c.get("m") === c })(new Map())',
    '(e => [e.name, e.message, e instanceof RangeError, e.cause])(structuredClone(new RangeError("x", { cause: 1 })))',
    '(e => [e.name, e.message])(structuredClone(Object.assign(new Error("m"), { name: "Custom" })))',
    '(t => [t instanceof Float64Array, ...t])(structuredClone(new Float64Array([1.5, 2])))',
    '(t => [...t, t.buffer.byteLength])(structuredClone(new Uint8Array(new ArrayBuffer(8), 2, 3)))',
    '(b => b.byteLength)(structuredClone(new ArrayBuffer(7)))',
    '((c) => [c.a.buffer === c.b.buffer])(structuredClone((b => ({ a: new Uint8Array(b), b: new Int8Array(b) }))(new ArrayBuffer(4))))',
    '(v => [v.byteOffset, v.byteLength])(structuredClone(new DataView(new ArrayBuffer(8), 1, 4)))',
    '(o => [typeof o, o.valueOf()])(structuredClone(Object(5)))',
    '(o => [typeof o, String(o)])(structuredClone(Object("s")))',
    '(a => [a.length, 1 in a, a.x])(structuredClone(Object.assign([1, , 3], { x: 4 })))',
    '(c => [Object.getPrototypeOf(c) === Object.prototype, c.x])(structuredClone(new (class P { x = 1; get y() { return 2 } })()))',
    'structuredClone({ get a() { return 5 } })',
    'structuredClone(Object.create({ inherited: 1 }, { hidden: { value: 1 } }))',
    'structuredClone(() => 1)',
    'structuredClone({ f() {} })',
    'structuredClone(Symbol("x"))',
    'structuredClone({ [Symbol("x")]: 1, a: 2 })',
    'structuredClone(new WeakMap())',
    'structuredClone(Promise.resolve())',
    'structuredClone()',
    '(() => { try { structuredClone(() => 1) } catch (e) { return [e.name, e.code, e instanceof DOMException, e instanceof Error] } })()',
  ])

  test('gives maps and sets that are shown and refused as what they are', async () => {
    const { logs, error } = await run(
      'console.log(structuredClone([new Map([[1, 2]]), new Set([1])])); return structuredClone(new Set([1]))',
    )
    expect(logs).toEqual(['[Map(1){1=>2},Set(1)[1]]'])
    expect(error?.message).toContain('value is a Set; use [...set]')
  })

  test('leaves the value as it was', async () => {
    expect(
      await returned('const a = { b: [1] }; const c = structuredClone(a); c.b.push(2); return [a, c]'),
    ).toEqual([{ b: [1] }, { b: [1, 2] }])
  })

  test('copies a deep value or says that it is too deep, and the next run is well', async () => {
    const program = `let v = 1; for (let i = 0; i < 2e5; i++) v = [v]
try { structuredClone(v); return 'copied' } catch (error) { return error.name }`
    expect(await returned(program)).toMatch(/^(copied|InternalError|RangeError)$/)
    expect(await returned('return structuredClone([1])')).toEqual([1])
  })
})

import { describe, expect, test } from 'vitest'
import { returned } from '../support/run-code.js'
import { sameAsHost } from './same-as-host.js'

const DATES = [
  ...['2020', '2020-01', '2020-01-01', '2020-1-1', '20200101', '2020-01-01T00', '2020-02-30', '2020-13-01'],
  ...[
    '2020-01-01T00:00Z',
    '2020-01-01T00:00z',
    '2020-01-01t00:00Z',
    '2020-01-01t00:00:00z',
    '2020-01-01 00:00:00z',
  ],
  ...[
    '2020-01-01t10:00:00+05:30',
    '2020-01-01T10:00:00.123z',
    '2020-01-01t10:00:00.123456789-08:00',
    '2020-01-01tz',
  ],
  ...[
    '2020-01-01T24:00:00Z',
    '2020-01-01T24:00:01Z',
    '2020-01-01T00:00:60Z',
    '2020-01-01T00:00:00+01',
    '2020-01-01T25:00z',
  ],
  ...[
    '+002020-01-01t00:00:00z',
    '-000001-01-01T00:00:00Z',
    '-000000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
  ],
  ...[
    '2020-01-01 00:00:00Z',
    '2020-01-01 00:00:00 +0100',
    '2020-01-01T00:00:00 Z',
    '2020-01-01T00:00:00Zfoo',
  ],
  ...[
    'Wed, 01 Jan 2020 00:00:00 GMT',
    'Wed, 01 Jan 2020 00:00:00 EST',
    'Wed Jan 01 2020 00:00:00 GMT+0100 (CET)',
  ],
  ...[
    '1 Jan 2020 10:00 GMT',
    'January 1, 2020 UTC',
    'May 5 2020 Z',
    'Jan 32 2020 UTC',
    '12/25/1995 13:30 GMT+02:00',
  ],
  ...[
    '',
    ' ',
    'x',
    'T00:00',
    '1577836800000',
    '2020-W01-1',
    '2020-001',
    '1 2 2020 UTC',
    'Thu, 01-Jan-2020 00:00:00 GMT',
  ],
]

describe('dates are read as they are elsewhere', () => {
  sameAsHost([
    ...DATES.map(
      text => `[Date.parse(${JSON.stringify(text)}), new Date(${JSON.stringify(text)}).getTime()]`,
    ),
    'Date.parse({ toString: () => "2020-01-01t00:00:00z" })',
    'Date.parse(Symbol())',
    'Date.parse()',
    'new Date(Symbol())',
    'new Date(2020, 1).getMonth()',
    'new Date(5).getTime()',
    'new Date(new Date(7)).getTime()',
    '[typeof Date(), Date.name, Date.length, Date.UTC(2020), new Date(0) instanceof Date, new Date(0).constructor === Date]',
    '(d => [d instanceof Date, d.later(1).getTime(), Object.prototype.toString.call(d)])(new (class extends Date { later(n) { return new this.constructor(this.getTime() + n) } })("2020-01-01t00:00:00z"))',
    'Reflect.construct(Date, [5], Object) instanceof Date',
    'Object.getOwnPropertyNames(Date).sort()',
    '["parse", "UTC", "now"].map(name => { const { value, ...rest } = Object.getOwnPropertyDescriptor(Date, name); return [value.name, value.length, rest] })',
    'new Date.parse("2020")',
    'JSON.stringify({ at: new Date("2020-01-01t00:00:00z") })',
    'structuredClone(new Date("2020-01-01t00:00:00z")).getTime()',
  ])
})

describe('what a weak reference holds', () => {
  test('lives until the job ends in which it was made or asked for', async () => {
    const program = `const ref = new WeakRef({ a: 1 })
const first = ref.deref()?.a
let target = { b: 2 }
const other = new WeakRef(target)
target = undefined
const second = other.deref()?.b
await null
return [first, second, typeof ref.deref(), typeof other.deref()]`
    expect(await returned(program)).toEqual([1, 2, 'undefined', 'undefined'])
  })

  test('lives on where the program holds it', async () => {
    const program = `const target = { a: 1 }, ref = new WeakRef(target)
for (let i = 0; i < 5; i++) await null
return ref.deref() === target`
    expect(await returned(program)).toBe(true)
  })

  test('is held once, however often it is asked for in one job', async () => {
    const program = `const targets = [{ n: 1 }, { n: 2 }], refs = targets.map(target => new WeakRef(target)), room = new Uint8Array(5.5e7)
let n = 0
for (let i = 0; i < 1e6; i++) n += refs[i % 2].deref().n
return n`
    expect(await returned(program)).toBe(1.5e6)
  })

  test('does not add up over jobs', async () => {
    const program = `for (let i = 0; i < 40; i++) { new WeakRef(new ArrayBuffer(8 * 1024 * 1024)); await null }
return 'done'`
    expect(await returned(program)).toBe('done')
  })

  sameAsHost([
    'typeof new WeakRef({ a: 1 }).deref()',
    'WeakRef({})',
    'new WeakRef(5)',
    'WeakRef.prototype.deref.call({})',
    '(r => [r instanceof WeakRef, r.constructor === WeakRef, Object.prototype.toString.call(r)])(new WeakRef({}))',
    'new (class Ref extends WeakRef { get() { return this.deref().a } })({ a: 5 }).get()',
    '[WeakRef.name, WeakRef.length, WeakRef.prototype.deref.name, WeakRef.prototype.deref.length]',
  ])
})

/** What a promise comes to, here and there. */
async function sameLater(expression: string): Promise<void> {
  const program = `return (${expression}).then(v => ['value', v], e => [e.name, e.message, e.errors?.length ?? null])`
  const there = (await new Function(program)()) as unknown
  expect(JSON.stringify(await returned(program))).toBe(JSON.stringify(there))
}

describe('Promise.any', () => {
  test.each([
    'Promise.any([Promise.reject(1), Promise.reject(2)])',
    'Promise.any([])',
    'Promise.any([Promise.reject(1), 2])',
    'Promise.any([Promise.reject(new Error("a"))])',
    'Promise.any(5).catch(error => error.name)',
    'Promise.any({ [Symbol.iterator]() { throw new Error("") } })',
    'Promise.any([Promise.reject(new AggregateError([], ""))]).catch(e => { throw e.errors[0] })',
    '(class extends Promise {}).any([5])',
    'Promise.any([1]).then(() => [Promise.any.name, Promise.any.length, Object.keys(Promise.any([1])).length, Object.hasOwn(Promise.any([1]), "constructor")])',
  ])('%s', sameLater)
})

const DESCRIBED =
  '(f => ["name", "length"].map(key => { const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(f, key); return [writable, enumerable, configurable] }))'

describe('functions and errors are of the kinds that they are elsewhere', () => {
  sameAsHost([
    ...[
      '[].toSpliced',
      '[].with',
      '(5).toLocaleString',
      '"".localeCompare',
      'Date.parse',
      'structuredClone',
      'URL',
      'Intl.NumberFormat',
    ].map(f => `${DESCRIBED}(${f})`),
    ...['atob("*")', 'atob("a")', 'btoa("\\u2603")'].map(
      use =>
        `(() => { try { ${use} } catch (e) { return [e instanceof DOMException, e.name, e.code, e.constructor === DOMException] } })()`,
    ),
    'btoa(Symbol())',
    'atob(Symbol())',
    'btoa({ toString: () => "a", valueOf: () => "b" })',
    'setTimeout()',
    'setTimeout("code")',
    'queueMicrotask(1)',
    'Object.keys(DOMException).map(key => [key, DOMException[key], DOMException.prototype[key]]).sort()',
    '[new DOMException("a", "AbortError").code, new DOMException("a", "AbortError").ABORT_ERR]',
    'Object.getOwnPropertyNames(structuredClone).sort()',
    '"prototype" in structuredClone',
    'new structuredClone(1)',
    'structuredClone()',
    ...['"a=\\ud800"', '{ a: "\\udc00x" }', '[["a", "\\ud800\\ud800"]]'].map(
      init => `(p => [p.get("a"), p.toString()])(new URLSearchParams(${init}))`,
    ),
    '(p => { p.set("k", "\\ud800"); p.append("\\udc00", "x"); return [...p] })(new URLSearchParams())',
    'new URL("http://a/?q=\\ud800#\\udc00").href',
    'new URLSearchParams({ a: Symbol() })',
    'new URL(Symbol())',
  ])

  test('a timer is cleared by its number as text', async () => {
    const program = `let fired = 0
const ids = [setTimeout(() => { fired += 1 }, 0), setTimeout(() => { fired += 10 }, 0), setTimeout(() => { fired += 100 }, 0)]
clearTimeout(String(ids[0])); clearTimeout(ids[1] + ' '); clearTimeout(ids[2])
await new Promise(resolve => setTimeout(resolve, 1))
return fired`
    expect(await returned(program)).toBe(10)
  })
})

describe('Error.captureStackTrace', () => {
  test('writes where it was called, as errors have it', async () => {
    const program = `class Missing extends Error {
  constructor(message) { super(message); this.name = 'Missing'; Error.captureStackTrace(this, Missing) }
}
const look = () => { throw new Missing('no rows') }
try { look() } catch (e) {
  const plain = {}, here = () => Error.captureStackTrace(plain)
  here()
  return [String(e), e instanceof Missing, /^ +at look .*program/.test(e.stack), Object.keys(e), /^ +at here .*program/.test(plain.stack)]
}`
    expect(await returned(program)).toEqual(['Missing: no rows', true, true, ['name'], true])
  })

  test('refuses what can have none', async () => {
    const program = `const fails = f => { try { f(); return 'nothing' } catch (e) { return e.name } }
return [5, null, Object.freeze({})].map(target => fails(() => Error.captureStackTrace(target)))`
    expect(await returned(program)).toEqual(['TypeError', 'TypeError', 'TypeError'])
  })

  test('is like any method, and needs nothing that a program can replace', async () => {
    const program = `const { length, name } = Error.captureStackTrace
const { enumerable } = Object.getOwnPropertyDescriptor(Error, 'captureStackTrace')
const capture = Error.captureStackTrace, target = {}
String.prototype.indexOf = String.prototype.slice = Object.defineProperty = () => 'mine'
globalThis.Error = undefined
capture(target, function () {})
return [length, name, enumerable, target.stack.includes('program.ts')]`
    expect(await returned(program)).toEqual([2, 'captureStackTrace', false, true])
  })
})

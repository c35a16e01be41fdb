import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { returned, run } from './support/run-code.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 30_000 } })
const kindOf = async (program: string): Promise<string | undefined> =>
  (await run(program, {}, {}, runtime)).error?.kind

describe('a program that keeps a megabyte makes as much as it likes', () => {
  const rounds = (body: string): string => `let n = 0; for (let i = 0; i < 120; i++) { ${body} } return n`
  test.each([
    [
      'in a closure that calls itself',
      'const b = new Uint8Array(1e6), f = k => k ? f(k - 1) : b.length; n += f(3)',
    ],
    [
      'in a function that calls itself',
      `const t = 'row '.repeat(250_000) + i; function f(k) { return k ? f(k - 1) : t.slice(0, 1e6).length } n += f(3)`,
    ],
    ['in an object that holds itself', 'const o = { b: new Uint8Array(1e6) }; o.self = o; n += o.b.length'],
    [
      'in children that know their parent',
      `const a = { t: 'x'.repeat(1e6) + i, b: [] }; a.b.push({ parent: a }); n += a.b[0].parent.t.slice(0, 1e6).length`,
    ],
    ['in a class', 'const b = new Uint8Array(1e6); class A { static s = b } n += A.s.length'],
    [
      'in a map that holds itself',
      'const m = new Map([[1, new Uint8Array(1e6)]]); m.set(m, m); n += m.get(1).length',
    ],
    [
      'in an array that holds itself',
      'const a = new Array(125_000).fill(i); a.push(a); n += 8 * (a.length - 1)',
    ],
  ])('%s', async (_what, body) => {
    expect(await returned(rounds(body))).toBe(120e6)
  })

  test('in answers of tools that a function which calls itself walks', async () => {
    const program = rounds('const t = await tools.page(), f = k => k ? f(k - 1) : t.length; n += f(3)')
    const page = () => 'x'.repeat(1e6)
    expect(await returned(program, { page })).toBe(120e6)
  })
})

test('what a helper of an iterator has handed on is not kept', async () => {
  const program = `function* pages() { for (let i = 0; i < 120; i++) yield new Uint8Array(1e6) }
let n = 0; for (const length of pages().map(page => page.length)) n += length
return n`
  expect(await returned(program)).toBe(120e6)
})

describe('what leads back to itself through a global is collected too', () => {
  test.each([
    [
      'what structuredClone gave back',
      'let n = 0; for (let i = 0; i < 120; i++) n += structuredClone({ b: new Uint8Array(1e6) }).b.length; return n',
      120e6,
    ],
    [
      'a URL',
      'let n = 0; for (let i = 0; i < 120; i++) { const u = new URL("http://a/b"); u.b = new Uint8Array(1e6); n += u.b.length } return n',
      120e6,
    ],
  ])('%s', async (_what, program, value) => {
    expect(await returned(program)).toBe(value)
  })
})

describe('what leads back to itself makes room before memory is said to have ended', () => {
  // Collected by nothing else: what is made after it is no object.
  const litter = `const litter = n => { const o = { b: new Uint8Array(n) }; o.self = o }
for (let i = 0; i < 5; i++) litter(9e6)
`
  test.each([
    ['for a buffer', 'return new Uint8Array(28e6).length', 28e6],
    ['for a text', `return 'xy'.repeat(14e6).length`, 28e6],
    ['for what is joined', `return Array(15).fill('z'.repeat(1e6)).join('').length`, 15e6],
    ['for JSON', `return JSON.stringify(Array(15).fill('z'.repeat(1e6))).length`, 15e6 + 46],
    ['for an array', 'return new Array(3e6).fill(1).length', 3e6],
    ['for an array that grows', 'const a = []; for (let i = 0; i < 2e6; i++) a[i] = i; return a.length', 2e6],
    [
      'for names',
      `const o = {}; for (let i = 0; i < 2e5; i++) o['k' + i] = i; return Object.keys(o).length`,
      2e5,
    ],
    ['for a set', 'const s = new Set(); for (let i = 0; i < 4e5; i++) s.add(i); return s.size', 4e5],
    [
      'for what is sorted',
      'return Array.from({ length: 4e5 }, (_, i) => -i).sort((a, b) => a - b)[0]',
      1 - 4e5,
    ],
    ['for what is replaced', `return 'ab,'.repeat(1e6).replaceAll('b', 'cccccc').length`, 8e6],
    ['for an answer', 'return (await tools.big()).length', 20e6],
  ])('%s', async (_what, program, value) => {
    const big = () => 'x'.repeat(20e6)
    expect(await returned(litter + program, { big })).toBe(value)
  })
})

describe('a program that has used up its memory', () => {
  const caught =
    'let n = 0, i = 0; const a = new Array(3e6).fill(0); for (;;) try { MAKE } catch { if (++n > 3) return "went on" }'
  test.each([
    ['objects', 'a[i++] = { n }'],
    ['texts', `a[i++] = 'y'.repeat(64) + i`],
    ['promises', 'a[i++] = Promise.withResolvers()'],
    ['closures', 'a[i++] = () => n'],
    ['errors', 'a[i++] = new Error("x" + n)'],
    ['generators', 'a[i++] = (function* () {})()'],
  ])('with %s ends, whatever would catch that', async (_what, make) => {
    expect(await kindOf(caught.replace('MAKE', make))).toBe('memory')
  })

  test('for one thing too large goes on', async () => {
    const program = 'try { new Uint8Array(1e9) } catch (e) { return [e.name, "x".repeat(1e6).length] }'
    expect(await returned(program)).toEqual(['InternalError', 1e6])
  })

  test('for a text in normal form throws an error, and nothing that is no value', async () => {
    const program = 'try { "é".repeat(1e7).normalize("NFD") } catch (e) { return String(e) }'
    expect(await returned(program)).toBe('InternalError: out of memory')
    expect(await kindOf('return "é".repeat(1e7).normalize("NFD")')).toBe('memory')
    expect(await returned('return ["é".normalize("NFD").length, "".normalize.length]')).toEqual([2, 0])
  })

  test('is told so, and the next one runs', async () => {
    expect(await kindOf('const a = []; for (;;) a.push({})')).toBe('memory')
    expect(await returned('return 7')).toBe(7)
  })
})

test('a registry is told of what was collected, and a collection begins in none', async () => {
  const program = `let told = 0
const registry = new FinalizationRegistry(() => { told++ })
for (let i = 0; i < 40; i++) { const o = { b: new Uint8Array(1e6) }; o.self = o; registry.register(o, i) }
await 0; await 0
return told > 0 && told <= 40`
  expect(await returned(program)).toBe(true)
})

test("collecting a large memory again and again is the program's own time", async () => {
  const brief = quickJsRuntime({ limits: { cpuMs: 400 } })
  const program = `const a = []; for (let i = 0; i < 5e5; i++) a.push({ i })
for (;;) try { new Uint8Array(5e7) } catch {}`
  const began = performance.now()
  expect((await run(program, {}, {}, brief)).error?.kind).toBe('timeout-cpu')
  expect(performance.now() - began).toBeLessThan(5000)
})

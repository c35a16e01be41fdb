import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { run, toolsOf } from './support/run-code.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 20_000, outputBytes: 4 * 1024 * 1024 } })
const LARGE = 5000

/** What arrives at the host, what comes back to the program, and what the program returns of it. */
async function around(expression: string) {
  const seen: unknown[] = []
  const tools = toolsOf({
    echo: ({ args }) => {
      seen.push(args)
      return args[0] ?? null
    },
  })
  const program = `const value = ${expression}
const back = await tools.echo(value, [value], value)
return { value, same: JSON.stringify(back) === JSON.stringify(value) }`
  const { value, error } = await run(program, {}, { namespaces: [tools] }, runtime)
  expect(error).toBeUndefined()
  return { seen: seen[0], value }
}

describe('large texts go beside the JSON, and arrive where they belong', () => {
  const at = 'x'.repeat(LARGE)
  const other = 'é😀'.repeat(LARGE)
  const quotes = '"\\\n\u0000\u2028'.repeat(LARGE)
  const half = `${at}\ud800`
  const values: readonly (readonly [string, unknown])[] = [
    ['by itself', at],
    ['with characters of every width', other],
    ['with what JSON escapes', quotes],
    ['with half a character', half],
    ['just below and at the size from which they do', ['y'.repeat(4095), 'y'.repeat(4096), 'y'.repeat(4097)]],
    ['in a list among others', [1, at, null, other, 'small', half]],
    ['deep in objects', { a: { b: [{ c: at }, { c: 'small' }] }, d: [[[[other]]]] }],
    ['by names that are odd', { 'a "b"': at, '': other, '\u0000': at, constructor: other, toString: at }],
    [
      'by the name __proto__',
      JSON.parse(`{"__proto__":${JSON.stringify(at)},"b":{"__proto__":[${JSON.stringify(other)}]}}`),
    ],
    ['many times the same', Array(30).fill(at)],
  ]
  test.each(values)('%s', async (_what, value) => {
    const { seen, value: returned } = await around(`JSON.parse(${JSON.stringify(JSON.stringify(value))})`)
    expect(JSON.stringify(seen)).toBe(JSON.stringify([value, [value], value]))
    expect(JSON.stringify(returned)).toBe(JSON.stringify({ value, same: true }))
  })
})

describe('large texts of a call that is not made', () => {
  test('do not get into the next one', async () => {
    const program = `const t = 'x'.repeat(5000), got = []
try { await tools.echo({ a: t, b: NaN }) } catch (e) { got.push(e.code) }
try { await tools.echo([t, { get a() { throw 1 } }]) } catch (e) { got.push(e.code) }
console.log({ t, n: 1n })
got.push(await tools.echo({ a: 1, b: null }))
return got`
    const { value } = await run(program, { echo: ({ args }) => args[0] }, {}, runtime)
    expect(value).toEqual(['INVALID_ARGS', 'INVALID_ARGS', { a: 1, b: null }])
  })

  test('stay with the values that they belong to when a getter among those makes calls', async () => {
    const program = `const a = 'a'.repeat(5000), b = 'b'.repeat(6000), c = 'c'.repeat(7000)
const calls = []
const value = () => ({ a, get b() { calls.push(tools.echo({ c }), tools.echo(NaN), tools.echo(1)); return b }, d: [c] })
const back = await tools.echo(value())
const inner = await Promise.allSettled(calls)
console.log([back.a === a, back.b === b, back.d[0] === c, inner[0].value.c === c, inner[1].reason.code, inner[2].value])
return value()`
    const { value, logs } = await run(program, { echo: ({ args }) => args[0] }, {}, runtime)
    expect(logs).toEqual(['[true,true,true,true,"INVALID_ARGS",1]'])
    expect(value).toEqual({ a: 'a'.repeat(5000), b: 'b'.repeat(6000), d: ['c'.repeat(7000)] })
  })

  test('count for its size, and are refused with it', async () => {
    const namespaces = [toolsOf({ size: ({ args }) => String(args[0]).length }, { maxCallBytes: 20_000 })]
    const program = `const got = []
for (const n of [19_000, 21_000, 1e6, 9_000])
  for (const value of ['x'.repeat(n), ['x'.repeat(n / 2), 'x'.repeat(n / 2)]])
    try { got.push(await tools.size(value)) } catch (e) { got.push(e.code) }
return got`
    const { value } = await run(program, {}, { namespaces }, runtime)
    const over = Array(4).fill('LIMIT_EXCEEDED')
    expect(value).toEqual([19_000, 19_001, ...over, 9_000, 9_001])
  })

  test('count for the output to the byte', async () => {
    for (const value of [['é'.repeat(5000)], { a: '"\n'.repeat(4000), b: ['x'.repeat(6000)] }]) {
      const bytes = new TextEncoder().encode(`[]${JSON.stringify(value)}`).length
      const program = `return ${JSON.stringify(value)}`
      const limited = (outputBytes: number) => quickJsRuntime({ limits: { outputBytes, cpuMs: 20_000 } })
      expect((await run(program, {}, {}, limited(bytes))).value).toEqual(value)
      const { error } = await run(program, {}, {}, limited(bytes - 1))
      expect(error?.message).toContain(`${bytes} bytes, 1 more than`)
    }
  })
})

test('a large line is printed as it is, and cut where it does not fit', async () => {
  const program =
    'console.log("é".repeat(5000)); console.warn("x".repeat(5000) + "\\ud800"); console.log("y".repeat(5e6))'
  const { logs, error } = await run(program, {}, {}, runtime)
  expect(error?.kind).toBe('output-limit')
  expect(logs.slice(0, 2)).toEqual(['é'.repeat(5000), `[warn] ${'x'.repeat(5000)}\ud800`])
  expect(new TextEncoder().encode(JSON.stringify(logs)).length).toBe(4 * 1024 * 1024)
})

import { type CodeFailureKind, type QuickJsLimits, quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { gate, run, toolsOf } from './support/run-code.js'

interface Told {
  readonly limits: Partial<QuickJsLimits>
  readonly within: string
  readonly over: string
  readonly kind: CodeFailureKind
  /** What happened, with its number, and what to do differently. */
  readonly text: RegExp
}

const MIB = 1024 * 1024
const wait = 'await new Promise(done => setTimeout(done, DELAY)); return 1'

const told: { readonly [limit: string]: Told } = {
  sourceBytes: {
    limits: { sourceBytes: 50 },
    within: `return 1${' '.repeat(42)}`,
    over: `return 1${' '.repeat(43)}`,
    kind: 'source-limit',
    text: /longer than 50 bytes\. Write a shorter one; data belongs in tool calls/,
  },
  cpuMs: {
    limits: { cpuMs: 400 },
    within: 'let n = 0; for (let i = 0; i < 1000; i++) n += i; return 1',
    over: 'for (;;) {}',
    kind: 'timeout-cpu',
    text: /computed for more than 400 ms.*Look for a loop that does not end, or work on less data/,
  },
  wallMs: {
    limits: { wallMs: 400 },
    within: wait.replace('DELAY', '1'),
    over: wait.replace('DELAY', '60_000'),
    kind: 'timeout-wall',
    text: /longer than 400 ms, waiting included.*Make fewer or faster calls, or run independent ones together/,
  },
  memoryBytes: {
    limits: { memoryBytes: 8 * MIB, cpuMs: 20_000 },
    within: 'return new Uint8Array(6e6).length / 6e6',
    over: 'return new Uint8Array(11e6).length / 11e6',
    kind: 'memory',
    text: /more than 8 MiB of memory\. Work on smaller pieces, and keep only what you need/,
  },
  stackBytes: {
    limits: { stackBytes: 32 * 1024 },
    within: 'const f = n => n === 0 ? 1 : f(n - 1); return f(80)',
    over: 'const f = n => n === 0 ? 1 : f(n - 1); return f(10_000)',
    kind: 'stack',
    text: /stack overflow.*nested too deeply.*Use a loop, or flatten it/s,
  },
  maxCalls: {
    limits: { maxCalls: 3 },
    within: 'for (let i = 0; i < 3; i++) await tools.echo(i); return 1',
    over: 'for (let i = 0; i < 4; i++) await tools.echo(i); return 1',
    kind: 'call-limit',
    text: /may make 3 calls\. Ask for more in each call, or split the work over several programs/,
  },
  outputBytes: {
    limits: { outputBytes: 12 },
    within: 'console.log("1234567"); return 1',
    over: 'console.log("12345678"); return 1',
    kind: 'output-limit',
    text: /13 bytes, 1 more than the 12 that fit\. Return only what you need: filter, cut or count/,
  },
}

describe('each limit', () => {
  test.each(Object.entries(told))(
    '%s lets through what it says, and tells what to do beyond',
    async (_name, row) => {
      const runtime = quickJsRuntime({ limits: row.limits })
      const functions = { echo: ({ args }: { args: readonly unknown[] }) => args[0] }
      const within = await run(row.within, functions, {}, runtime)
      expect([within.error, within.value]).toEqual([undefined, 1])
      const { error } = await run(row.over, functions, {}, runtime)
      expect(error?.kind).toBe(row.kind)
      expect(error?.message).toMatch(row.text)
      expect((await run(row.within, functions, {}, runtime)).value).toBe(1)
    },
  )

  test('says by how much the output is over, whatever it is made of', async () => {
    const runtime = quickJsRuntime({ limits: { outputBytes: 1000, cpuMs: 20_000 } })
    for (const [program, bytes] of [
      ['return "x".repeat(2000)', 2004],
      ['return ["é".repeat(2000)]', 4006],
      ['console.log("x".repeat(500)); return Array(1000).fill(1)', 2505],
      ['return "\\n".repeat(3000)', 6004],
    ] as const) {
      const { error } = await run(program, {}, {}, runtime)
      expect(error?.message).toContain(`${bytes} bytes, ${bytes - 1000} more than the 1000 that fit`)
    }
  })
})

describe('a call too large', () => {
  const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })
  const seen: unknown[] = []
  const namespaces = [
    toolsOf(
      {
        size: ({ args }) => {
          seen.push(args)
          return String(args[0]).length
        },
      },
      { maxCallBytes: 10_000 },
    ),
  ]

  test('is rejected before it is read, and the next one is made', async () => {
    const program = `const sizes = []
for (const n of [9_900, 10_100, 1e6, 5])
  try { sizes.push(await tools.size('x'.repeat(n))) } catch (e) { sizes.push([e.name, e.code, e.message]) }
return sizes`
    const { value } = await run(program, {}, { namespaces }, runtime)
    const refused = expect.stringMatching(
      /^The call has \d+ bytes as JSON, and its arguments may have 10000\. Pass less/,
    )
    expect(value).toEqual([
      9_900,
      ['ToolCallError', 'LIMIT_EXCEEDED', refused],
      ['ToolCallError', 'LIMIT_EXCEEDED', refused],
      5,
    ])
    expect(seen.length).toBe(2)
  })

  test('is rejected beside others that together hold more than the program may, until those have ended', async () => {
    let held = 0
    const { opened, open } = gate()
    const keep = async ({ args }: { readonly args: readonly unknown[] }): Promise<number> => {
      held += 1
      await opened
      return String(args[0]).length
    }
    const small = quickJsRuntime({ limits: { memoryBytes: 8 * 1024 * 1024, cpuMs: 20_000 } })
    const program = `const text = 'x'.repeat(1e6), calls = []
for (let i = 0; i < 12; i++) calls.push(tools.keep(text))
const refused = await Promise.race(calls).catch(e => e)
await tools.free()
const ends = await Promise.allSettled(calls)
return [ends.filter(end => end.value === 1e6).length, refused.code, refused.message, await tools.keep(text)]`
    const { value } = await run(program, { keep, free: () => open() }, {}, small)
    const told =
      /^The arguments of calls that have not ended take 80\d+ bytes as JSON, and 10\d+ more are over the limit of 8388608\. Await/
    expect(value).toEqual([8, 'LIMIT_EXCEEDED', expect.stringMatching(told), 1e6])
    expect(held).toBe(9)
  })

  test('by its name is rejected too', async () => {
    const program = 'try { await tools["n".repeat(20_000)]() } catch (e) { return e.code }'
    const open = [{ ...namespaces[0], open: true }] as never
    expect((await run(program, {}, { namespaces: open }, runtime)).value).toBe('LIMIT_EXCEEDED')
  })

  test('has its long name cut where calls not awaited are named', async () => {
    const open = [toolsOf({}, { open: true })]
    const { notAwaited } = await run('tools["n".repeat(5000)](); return 1', {}, { namespaces: open }, runtime)
    expect(notAwaited).toEqual([`${'n'.repeat(200)}…`])
  })

  test('is named as one of the first fifty not awaited, or counted', async () => {
    const open = [toolsOf({}, { open: true })]
    const program = 'for (let i = 0; i < 12_000; i++) tools["é".repeat(190) + i](); return 1'
    const outcome = await run(program, {}, { namespaces: open }, runtime)
    expect(outcome.notAwaited).toHaveLength(51)
    expect(outcome.notAwaited?.[0]).toBe(`${'é'.repeat(190)}0`)
    // Those that were one too many are named until the program has been told so.
    expect(outcome.notAwaited?.at(-1)).toMatch(/^… and (?:11)?950 more$/)
    expect(outcome.notRun?.length).toBeLessThanOrEqual(51)
  })
})

test('running out of memory while a failure is told ends as memory', { timeout: 60_000 }, async () => {
  const runtime = quickJsRuntime({ limits: { memoryBytes: 2 * MIB, cpuMs: 20_000 } })
  const fill = 'const a = []; try { for (;;) a.push("y".repeat(64) + a.length) } catch {}'
  for (const end of [
    'throw new Error("x".repeat(100))',
    'const e = new Error("x"); e.message = "m".repeat(1e6); throw e',
    'console.log({ a })',
    'return a',
    'return tools.echo(a)',
    'throw { get a() { return a } }',
    'for (;;) { try { a.push(a.slice()) } catch (e) { try { throw e } finally { a.push(new Array(100).fill(e)) } } }',
    'const m = new Map(); for (let i = 0; ; i++) m.set({ i }, a.concat(a))',
  ]) {
    const { error } = await run(`${fill}\n${end}`, { echo: () => 1 }, {}, runtime)
    expect(['memory', 'exception', 'output-limit'], end).toContain(error?.kind)
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
  }
})

test('two thousand programs keep memory flat', { timeout: 120_000 }, async () => {
  const runtime = quickJsRuntime({ limits: { cpuMs: 20_000 } })
  const program = `console.log('x'.repeat(100)); await tools.echo({ a: [1, 2, 3] })
return Array.from({ length: 40 }, (_, i) => ({ i, text: 'y'.repeat(30) }))`
  const some = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const { error } = await run(program, { echo: ({ args }) => args[0] }, {}, runtime)
      expect(error).toBeUndefined()
    }
  }
  await some(300)
  const before = process.memoryUsage()
  await some(2000)
  const after = process.memoryUsage()
  const grownMib = (name: 'rss' | 'external' | 'arrayBuffers') => (after[name] - before[name]) / MIB
  expect(grownMib('external')).toBeLessThan(8)
  expect(grownMib('arrayBuffers')).toBeLessThan(8)
  expect(grownMib('rss')).toBeLessThan(80)
})

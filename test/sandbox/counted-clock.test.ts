import type { CodeRuntime } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ENDLESS } from './support/hostile-programs.js'
import { run } from './support/run-code.js'

// As on a Worker in production, where time passes only while a program waits for the world.
beforeEach(() => {
  const [now, date] = [performance.now(), Date.now()]
  vi.spyOn(performance, 'now').mockReturnValue(now)
  vi.spyOn(Date, 'now').mockReturnValue(date)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const counted = (cpuMs: number) => quickJsRuntime({ limits: { cpuMs }, cpuClock: 'counted' })
const runtime = counted(30)

describe('where the clock stands still, work is counted', () => {
  test.each(ENDLESS)('and ends %s', { timeout: 30_000 }, async (_what, program) => {
    const { error } = await run(program, {}, {}, runtime)
    expect(['timeout-cpu', 'memory', 'output-limit']).toContain(error?.kind)
    expect((await run('return 7', {}, {}, runtime)).value).toBe(7)
  })

  test('and stops the same program at the same place each time', async () => {
    const program = 'for (let i = 0; ; i++) if (i % 1000 === 0) console.log(i)'
    const [first, second] = [await run(program, {}, {}, runtime), await run(program, {}, {}, runtime)]
    expect(first.error?.kind).toBe('timeout-cpu')
    expect(first.logs.length).toBeGreaterThan(10)
    expect(second).toEqual(first)
  })

  test('and the first program after as much work as those after it', async () => {
    const tools = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`f${i}`, () => i]))
    const program = 'for (let i = 0; ; i++) if (i % 7 === 0) console.log(i)'
    const work = async (given: CodeRuntime): Promise<string | undefined> =>
      (await run(program, tools, {}, given)).logs.at(-1)
    const same = counted(20)
    const counts = []
    for (let i = 0; i < 6; i++) counts.push(await work(same))
    counts.push(await work(counted(20)))
    expect(Number(counts[0])).toBeGreaterThan(1_000)
    expect(new Set(counts).size).toBe(1)
  })

  test('and more of it is let through by a larger limit', async () => {
    const program = 'let n = 0; for (; n < 3e5; n++); return n'
    expect((await run(program, {}, {}, counted(1))).error?.kind).toBe('timeout-cpu')
    expect((await run(program, {}, {}, counted(2000))).value).toBe(300_000)
  })

  test('and waiting for calls and timers counts nothing', async () => {
    const program = 'await new Promise(done => setTimeout(done, 100)); return await tools.slow()'
    const slow = () => new Promise(done => setTimeout(() => done(5), 100))
    expect((await run(program, { slow }, {}, counted(20))).value).toBe(5)
  })

  test('and a caller’s abort reaches a program that never waits for the world', async () => {
    for (const program of ['for (;;) await null', 'for (;;) await tools.tick()']) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 5)
      const limits = { limits: { cpuMs: 60_000, maxCalls: 1e9 }, cpuClock: 'counted' as const }
      const { error } = await run(
        program,
        { tick: () => 1 },
        { signal: controller.signal },
        quickJsRuntime(limits),
      )
      expect(error?.kind).toBe('abort')
    }
  })

  test.each([
    ['in a loop', `let x = 0; for (;;) { ${'x=x+1|0;'.repeat(30_000)} }`],
    ['in a function', "const f = new Function('x', 'x=x+1|0;'.repeat(100000)); for (;;) f(0)"],
  ])('and code without jumps counts too %s', async (_what, program) => {
    await run('return 1', {}, {}, counted(100))
    const before = process.cpuUsage()
    const { error } = await run(program, {}, {}, counted(100))
    const { user } = process.cpuUsage(before)
    expect(error?.kind).toBe('timeout-cpu')
    // A hundred milliseconds, and the time to read it.
    expect(user / 1000).toBeLessThan(2000)
  })

  test('and calls one after the other let the host go on by their number and their size', async () => {
    const turnsDuring = async (program: string): Promise<number> => {
      let turns = 0
      let ended = false
      const turn = (): void => {
        turns += 1
        if (!ended) setImmediate(turn)
      }
      turn()
      const { value } = await run(program, { take: () => 1 }, {}, counted(20_000))
      expect(value).toBe('done')
      ended = true
      return turns
    }
    const many = "for (let i = 0; i < 320; i++) await tools.take(); return 'done'"
    const large =
      "const much = 'm'.repeat(6e5); for (let i = 0; i < 12; i++) await tools.take(much); return 'done'"
    await turnsDuring(many)
    expect(await turnsDuring(many)).toBeGreaterThanOrEqual(9)
    expect(await turnsDuring(large)).toBeGreaterThanOrEqual(11)
  })

  test('and a value too large to be read before the end is not begun', async () => {
    const program = 'const a = new Array(3e4).fill(1).map(i => ({ i })); return await tools.echo(a)'
    const { error } = await run(program, { echo: ({ args }) => args[0] }, {}, counted(20))
    expect(error?.kind).toBe('timeout-cpu')
  })
})

import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { BADLY_BEHAVED, ENDLESS } from './support/hostile-programs.js'
import { run, toolsOf } from './support/run-code.js'

const runtime = quickJsRuntime({ limits: { cpuMs: 120, wallMs: 20_000 } })
const patient = quickJsRuntime({ limits: { cpuMs: 3000, wallMs: 20_000 } })

async function isHealthy(): Promise<boolean> {
  const { value, error } = await run('return 7', {}, {}, runtime)
  return value === 7 && error === undefined
}

// What a program of this list ends with: its time, or its memory before that.
const STOPPED = ['timeout-cpu', 'memory', 'output-limit']

describe('a program without end', () => {
  test.each(ENDLESS)('is stopped, and the next one runs: %s', async (_what, program) => {
    const { error } = await run(program, {}, {}, runtime)
    expect(STOPPED, error?.message).toContain(error?.kind)
    expect(await isHealthy()).toBe(true)
  })
})

describe('a program that misbehaves', () => {
  test.each(BADLY_BEHAVED)('ends once, and the next one runs: %s', async (_what, program) => {
    const outcome = await run(program, {}, {}, patient)
    expect(outcome.error?.kind).not.toBe('crash')
    expect(outcome.error === undefined || outcome.error.message !== '').toBe(true)
    expect(await isHealthy()).toBe(true)
  })
})

test('allocating in promise jobs five times over', async () => {
  const program =
    'await tools.ping({}); const r = []; for (let k = 0; k < 260000; k++) r.push({ k }); return r.length'
  const limits = { limits: { memoryBytes: 128 * 1024 * 1024 } }
  const large = quickJsRuntime(limits)
  for (let i = 0; i < 5; i++) expect((await run(program, { ping: () => 1 }, {}, large)).value).toBe(260_000)
})

test('twenty-five awaits, and again', async () => {
  const program = 'let sum = 0; for (let i = 0; i < 25; i++) sum += await tools.one(); return sum'
  for (let i = 0; i < 2; i++) expect((await run(program, { one: () => 1 })).value).toBe(25)
})

describe('calls that take of the host what no CPU limit counts', () => {
  const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    // What is loaded at the first program takes turns too.
    await run('return 1', {}, {}, patient)
    let turns = 0
    let ended = false
    const turn = (): void => {
      turns += 1
      if (!ended) setImmediate(turn)
    }
    turn()
    await work()
    ended = true
    return turns
  }

  test('let the host go on between many at once, and begin in order', async () => {
    const seen: unknown[] = []
    const program =
      'const all = []; for (let i = 0; i < 320; i++) all.push(tools.take(i)); return (await Promise.all(all)).length'
    const work = async (): Promise<void> => {
      const { value } = await run(program, { take: ({ args }) => seen.push(args[0]) }, {}, patient)
      expect(value).toBe(320)
    }
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(9)
    expect(seen).toEqual(Array.from({ length: 320 }, (_, i) => i))
  })

  test('let the host go on between many one after another', async () => {
    const busy = (): number => {
      const until = performance.now() + 5
      while (performance.now() < until);
      return 1
    }
    const program = 'let n = 0; for (let i = 0; i < 60; i++) n += await tools.busy(); return n'
    const work = async (): Promise<void> => {
      expect((await run(program, { busy }, {}, patient)).value).toBe(60)
    }
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(8)
  })

  test('let the host go on between a few that bring much, one at a time', async () => {
    const program =
      'const all = []; const much = "m".repeat(6e5); for (let i = 0; i < 12; i++) all.push(tools.take(much)); return (await Promise.all(all)).length'
    const work = async (): Promise<void> => {
      expect((await run(program, { take: () => 1 }, {}, patient)).value).toBe(12)
    }
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(11)
  })

  test('and timers that come due at once let the host go on between them', async () => {
    const program = `const burn = () => { const until = performance.now() + 10; while (performance.now() < until); }
let left = 40; await new Promise(done => { for (let i = 0; i < 40; i++) setTimeout(() => { burn(); if (--left === 0) done() }, 20) }); return 1`
    let longest = 0
    let last = performance.now()
    const work = async (): Promise<void> => {
      expect((await run(program, {}, {}, patient)).value).toBe(1)
    }
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    await work()
    clearInterval(watch)
    // All at once they take four hundred.
    expect(longest).toBeLessThan(200)
  })

  test('are dropped with the program while they wait for their turn', async () => {
    const controller = new AbortController()
    let begun = 0
    const take = (): Promise<never> => {
      begun += 1
      if (begun === 32) setImmediate(() => controller.abort())
      return new Promise(() => {})
    }
    const program = 'for (let i = 0; i < 320; i++) tools.take(i); await tools.take(0)'
    const { signal } = controller
    const { error } = await run(program, {}, { namespaces: [toolsOf({ take })], signal }, patient)
    expect(error?.kind).toBe('abort')
    await turnsDuring(() => new Promise(resolve => setTimeout(resolve, 5)))
    expect(begun).toBe(32)
  })
})

test('the name of a module that is megabytes long is shown by its beginning', async () => {
  const program = 'return import("n".repeat(2e6)).catch(e => e.message)'
  const { value } = await run(program, {}, {}, patient)
  expect(String(value)).toMatch(/^import\("n{200}…"\) does not work in this sandbox: /)
})

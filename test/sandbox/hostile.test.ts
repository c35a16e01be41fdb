import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { BADLY_BEHAVED, ENDLESS } from './support/hostile-programs.js'
import { run } from './support/run-code.js'

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

import { createToolRegistry } from 'toolgate'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'
import { expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

it('answers that a program in a worker does not take hold back its next calls, which run once it does', async () => {
  const runtime = quickJsWorkerRuntime({ limits: { memoryBytes: 8 * 2 ** 20, cpuMs: 20_000 } })
  const big = countedTool('big', () => 'x'.repeat(2 ** 20), { isConcurrencySafe: () => true })
  const during: number[] = []
  const registry = createToolRegistry({ tools: [big], mode: 'code', codeRuntime: runtime })
  registry.on('log', () => during.push(big.runs()))
  const code = `let taken = 0
const calls = Array.from({ length: 40 }, () => tools.big({}).then(text => { taken += text.length }))
await new Promise(done => setTimeout(done, 1))
console.log('begins')
const until = performance.now() + 500
while (performance.now() < until);
console.log('computed')
await Promise.all(calls)
return taken`
  const result = await registry.execute({
    callId: 'p',
    name: 'run_code',
    arguments: { code, description: 'Takes its answers late' },
  })
  expect(result).toMatchObject({ isError: false, value: { result: 40 * 2 ** 20 } })
  expect(big.runs()).toBe(40)
  // What fits into the program's memory, and what was under way then.
  const [before = 0, after = 0] = during
  expect(after - before).toBeLessThanOrEqual(8 + 10 + 1)
  await registry.dispose()
})

import { createToolRegistry, defineTool } from 'toolgate'

const started: string[] = []
const work = defineTool({
  name: 'work',
  description: 'Takes its time.',
  parameters: { ms: { type: 'integer', required: true } },
  isConcurrencySafe: () => true,
  execute: ({ ms }, { callId, signal }) => {
    started.push(callId)
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => resolve(`${ms} ms`), ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    })
  },
})

const registry = createToolRegistry({ tools: [work] })
const calls = (...times: number[]) =>
  times.map((ms, i) => ({ callId: String(i + 1), name: 'work', arguments: { ms } }))

// The second has ended long before the first; results come in the order of the calls all the same.
for await (const result of registry.executeEach(calls(60, 1, 30)))
  console.log(`${result.callId}: ${result.isError ? result.error.code : result.value}`)

// To leave the loop stops what runs and starts nothing more.
started.length = 0
for await (const result of registry.executeEach(calls(1, 60_000, 60_000), { maxParallel: 2 })) {
  console.log(`${result.callId}, and that is enough`)
  break
}
console.log(`started: ${started}`)

// An abort gives each call its result: those that ran, and those that never did.
const controller = new AbortController()
setTimeout(() => controller.abort(), 20)
const results = await registry.executeAll(calls(1, 60_000, 60_000), {
  signal: controller.signal,
  maxParallel: 1,
})
for (const result of results)
  console.log(`${result.callId}: ${result.isError ? result.error.code : result.value}`)

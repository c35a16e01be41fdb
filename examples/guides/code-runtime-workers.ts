import { createToolRegistry, defineTool } from 'toolgate'
import { quickJsWorkerRuntime } from 'toolgate/quickjs-worker'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: { schema: { type: 'number' }, render: (_args, sum) => [{ type: 'text', text: String(sum) }] },
  execute: ({ a, b }) => a + b,
})

// Nothing else differs: programs, tools, limits and failures are those of quickJsRuntime().
const codeRuntime = quickJsWorkerRuntime({ limits: { cpuMs: 1_000 }, maxWorkers: 4 })
const registry = createToolRegistry({ tools: [add], mode: 'code', codeRuntime })
const run = (callId: string, code: string, signal?: AbortSignal) => {
  const args = { code, description: 'Run a program for the guide' }
  return registry.execute({ callId, name: 'run_code', arguments: args, ...(signal && { signal }) })
}

const sum = await run('1', 'return await tools.add({ a: 1, b: 2 })')
console.log(sum.isError ? sum.error.code : sum.value)

// The host goes on while a program computes, and an abort ends it in the middle of its loop.
let turns = 0
const timer = setInterval(() => turns++, 5)
const user = new AbortController()
setTimeout(() => user.abort(new Error('the user closed the page')), 300)
const stopped = await run('2', 'console.log("computing"); for (;;) {}', user.signal)
clearInterval(timer)
console.log(
  stopped.isError && stopped.error.code,
  turns > 5 ? 'and the host went on' : 'and the host stood still',
)

const after = await run('3', 'return await tools.add({ a: 20, b: 22 })')
console.log(after.isError ? after.error.code : after.value)
await registry.dispose()

import { createToolRegistry, defineTool } from '../../dist/index.js'
import { quickJsRuntime } from '../../dist/quickjs.js'

const number = { type: 'number', required: true }

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: { a: number, b: number },
  output: { schema: { type: 'number' }, render: (_args, sum) => [{ type: 'text', text: String(sum) }] },
  isConcurrencySafe: () => true,
  execute: ({ a, b }) => a + b,
})

const echo = defineTool({
  name: 'echo',
  description: 'Returns its text',
  parameters: { text: { type: 'string', required: true } },
  output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
  isConcurrencySafe: () => true,
  execute: ({ text }) => text,
})

/** `run_code` through the whole pipeline, and so every call that the program makes. */
export function createToolgate() {
  const registry = createToolRegistry({
    tools: [add, echo],
    mode: 'code',
    codeRuntime: quickJsRuntime(),
  })
  let n = 0
  return async code => {
    const call = {
      callId: `p${n++}`,
      name: 'run_code',
      arguments: { code, description: 'Runs the benchmark' },
    }
    const result = await registry.execute(call)
    if (result.isError) throw new Error(result.error.message)
    return result.value.result
  }
}

const functions = { add: ({ a, b }) => a + b, echo: ({ text }) => text }

/** The runtime by itself, with plain functions like the peers' and no validation. */
export function createToolgateRuntime() {
  const runtime = quickJsRuntime()
  const tools = {
    global: 'tools',
    functions: Object.keys(functions),
    call: async ({ name, args }) => ({ ok: true, value: functions[name](args[0]) }),
  }
  return async program => {
    const outcome = await runtime.run({ program, namespaces: [tools] })
    if (outcome.error) throw new Error(outcome.error.message)
    return outcome.value
  }
}

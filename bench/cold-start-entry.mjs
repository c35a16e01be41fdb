// A fresh process: imports one contestant, makes one call, prints the milliseconds from import to result. The contestants'
// modules are not shared with each other here, so that nobody pays for somebody else's imports.
const [kind, contestant] = process.argv.slice(2)

const NATIVE = {
  async toolgate() {
    const { createToolRegistry, defineTool } = await import('../dist/index.js')
    const number = { type: 'number', required: true }
    const add = defineTool({
      name: 'add',
      description: 'Adds',
      parameters: { a: number, b: number },
      execute: ({ a, b }) => String(a + b),
    })
    const registry = createToolRegistry({ tools: [add] })
    const result = await registry.execute({ callId: 'c1', name: 'add', arguments: { a: 1, b: 2 } })
    return result.content[0].text
  },
  async ai() {
    const [{ asSchema, tool }, { executeTool, safeValidateTypes }, { z }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/provider-utils'),
      import('zod'),
    ])
    const add = tool({
      description: 'Adds',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: async ({ a, b }) => String(a + b),
    })
    const { value } = await safeValidateTypes({ value: { a: 1, b: 2 }, schema: asSchema(add.inputSchema) })
    let output
    for await (const part of executeTool({
      tool: add,
      input: value,
      options: { toolCallId: 'c1', messages: [], context: {} },
    }))
      output = part.output
    return output
  },
  async '@deepseek-ai/dsh-tools'() {
    const [{ Context }, { SystemPrompt }, { defineTool, ToolRuntime }] = await Promise.all([
      import('@deepseek-ai/cordis'),
      import('@deepseek-ai/dsh-system-prompt'),
      import('@deepseek-ai/dsh-tools'),
    ])
    const root = new Context()
    await root.plugin(SystemPrompt)
    await root.plugin(ToolRuntime)
    const number = { type: 'number', required: true }
    root.tools.register(
      defineTool({
        name: 'add',
        description: 'Adds',
        parameters: { a: number, b: number },
        output: { schema: { type: 'number' }, render: (_args, sum) => [{ type: 'text', text: String(sum) }] },
        execute: async ({ a, b }) => a + b,
      }),
    )
    const { signal } = new AbortController()
    const result = await root.tools.execute({ callId: 'c1', name: 'add', arguments: { a: 1, b: 2 }, signal })
    return result.content[0].text
  },
  async '@modelcontextprotocol/sdk'() {
    const [{ Client }, { InMemoryTransport }, { McpServer }, { z }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/inMemory.js'),
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('zod'),
    ])
    const server = new McpServer({ name: 'bench', version: '1.0.0' })
    server.registerTool(
      'add',
      { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } },
      async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    )
    const client = new Client({ name: 'bench', version: '1.0.0' })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(far), client.connect(near)])
    const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    return result.content[0].text
  },
}

const PROGRAM = 'return String(await tools.add({ a: 1, b: 2 }))'

const CODE = {
  toolgate: async () => (await import('./contestants/toolgate-code.mjs')).createToolgate()(PROGRAM),
  run: async () => (await import('./contestants/run.mjs')).createRun()(PROGRAM),
  '@executor-js/runtime-quickjs': async () =>
    (await import('./contestants/executor.mjs')).createExecutor()(PROGRAM),
}

const start = performance.now()
const result = await (kind === 'native call' ? NATIVE : CODE)[contestant]()
const took = performance.now() - start
if (result !== '3') throw new Error(`expected 3, got ${result}`)
process.stdout.write(`${took}\n`, () => process.exit(0))

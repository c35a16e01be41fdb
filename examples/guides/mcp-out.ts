import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { createToolRegistry, defineTool } from 'toolgate'
import { serveMcp } from 'toolgate/mcp'
import { quickJsRuntime } from 'toolgate/quickjs'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  execute: ({ a, b }) => String(a + b),
})
const registry = createToolRegistry({ tools: [add], codeRuntime: () => quickJsRuntime() })

// A client at the other end of a transport; a program would take the SDK's StdioServerTransport.
async function connect(mode: 'native' | 'code'): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  await serveMcp(registry, { transport: here, mode })
  const client = new Client({ name: 'somebody', version: '1.0.0' })
  await client.connect(there)
  return client
}

const native = await connect('native')
console.log((await native.listTools()).tools.map(tool => tool.name))
console.log(await native.callTool({ name: 'add', arguments: { a: 1, b: 2 } }))
console.log(await native.callTool({ name: 'add', arguments: { a: 1 } }))

const code = await connect('code')
console.log((await code.listTools()).tools.map(tool => tool.name))
const program = 'return Number(await tools.add({ a: 1, b: 2 })) * 2'
const args = { code: program, description: 'Double a sum' }
console.log((await code.callTool({ name: 'run_code', arguments: args })).content)

await native.close()
await code.close()

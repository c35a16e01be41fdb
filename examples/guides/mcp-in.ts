import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createToolRegistry } from 'toolgate'
import { mcpTools } from 'toolgate/mcp'

// Called for the first connection, and again whenever it is lost.
async function connect(): Promise<Client> {
  const client = new Client({ name: 'my-agent', version: '1.0.0' })
  const args = ['-y', '@modelcontextprotocol/server-everything']
  await client.connect(new StdioClientTransport({ command: 'npx', args, stderr: 'ignore' }))
  return client
}

const registry = createToolRegistry()
const everything = await mcpTools(connect, { scope: registry, prefix: 'everything__' })

const weather = await registry.execute({
  callId: '1',
  name: 'everything__get-structured-content',
  arguments: { location: 'Chicago' },
})
console.log(weather.isError ? weather.error : Object.keys(weather.value as object))

const image = await registry.execute({ callId: '2', name: 'everything__get-tiny-image' })
console.log(image.content.map(block => block.type))

const wrong = await registry.execute({ callId: '3', name: 'everything__get-sum', arguments: { a: '1' } })
console.log(wrong.isError && wrong.error.code)

for (const { tool, effect, code } of everything.problems) console.log(tool, effect, code)
await everything.dispose()

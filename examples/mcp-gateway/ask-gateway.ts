// Plays the client of a gateway: npx tsx examples/mcp-gateway/ask-gateway.ts
// A real client starts it by itself: { "command": "npx", "args": ["-y", "toolgate", "gateway", "/path/to/config.json"] }
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [command = 'npx', ...before] = (process.env.TOOLGATE ?? 'npx -y toolgate').split(' ')
const args = [...before, 'gateway', 'examples/mcp-gateway/config.json', '--start-timeout', '60']
const client = new Client({ name: 'example', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))

console.log((await client.listTools()).tools.map(tool => tool.name))
console.log(client.getInstructions()?.split('\n\n', 1)[0])

// What a model would write: two servers, one round trip, and only the answer comes back.
const code = `
  const { content } = await tools.files__list_directory({ path: 'mcp-gateway' })
  const files = content.split('\\n').filter(line => line.startsWith('[FILE]'))
  return await tools['everything__get-sum']({ a: files.length, b: 40 })`
const result = await client.callTool({
  name: 'run_code',
  arguments: { code, description: 'Count files and add' },
})
console.log(result.content)
await client.close()

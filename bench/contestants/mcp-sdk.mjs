import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ARGS, zodParameters } from './toolgate.mjs'

export const createServer = () => new McpServer({ name: 'bench', version: '1.0.0' })

export const registerNoop = (server, name) =>
  server.registerTool(name, { description: 'Does nothing', inputSchema: zodParameters }, async () => ({
    content: [{ type: 'text', text: 'ok' }],
  }))

/** A client with the server at the other end of an in-memory transport. */
export async function connect(server) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

export function caller(client, name) {
  return async () => {
    const result = await client.callTool({ name, arguments: ARGS })
    if (result.isError) throw new Error(result.content[0].text)
  }
}

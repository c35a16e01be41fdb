// A small server for the tests of the command: node plain.mjs [name]
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const text = value => ({ content: [{ type: 'text', text: String(value) }] })
const bodies = {
  echo: ({ text: given = '' }) => text(given),
  pid: () => text(process.pid),
  env: ({ name }) => text(process.env[name] ?? 'not set'),
  crash: () => process.exit(7),
}
const server = new Server({ name: process.argv[2] ?? 'plain', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    ...Object.keys(bodies).map(name => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
    { name: 'bad name\n', inputSchema: { type: 'object' } },
  ],
}))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => bodies[params.name](params.arguments ?? {}))
await server.connect(new StdioServerTransport())
process.stderr.write('plain is up\n')

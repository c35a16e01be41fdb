// A registry with the tools that the protocol's conformance suite asks for, served over HTTP: prints its address.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createToolRegistry } from '../../../dist/index.js'
import { serveMcp } from '../../../dist/mcp.js'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const text = value => ({ type: 'text', text: value })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const resource = { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' }

const bodies = {
  test_simple_text: () => 'This is a simple text response for testing.',
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }],
  test_embedded_resource: () => [{ type: 'resource', resource }],
  test_multiple_content_types: () => [text('Several kinds:'), image, { type: 'resource', resource }],
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing')
  },
  test_tool_with_progress: (_args, context) => {
    for (const completed of [0, 50, 100]) context.progress({ completed, total: 100 })
    return 'done'
  },
}
const tools = Object.entries(bodies).map(([name, execute]) => ({
  name,
  description: `The tool ${name}.`,
  parameters: { type: 'object', properties: {} },
  execute,
}))
const address = {
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
}
const schemaTool = {
  name: 'json_schema_2020_12_tool',
  description: 'A tool with JSON Schema 2020-12 features.',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
  execute: () => 'done',
}
const registry = createToolRegistry({ tools: [...tools, schemaTool] })

const sessions = new Map()
const server = createServer(async (request, response) => {
  let transport = sessions.get(request.headers['mcp-session-id'])
  if (transport === undefined) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => sessions.set(id, transport),
    })
    await serveMcp(registry, { transport })
  }
  await transport.handleRequest(request, response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`))

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { createToolRegistry, type ToolRegistry } from 'toolgate'
import { type McpTools, mcpTools } from 'toolgate/mcp'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { gate } from '../../support/tools.js'

// Revisions of the protocol from 2026-07-28 on have no session: each request stands alone, and changes are listened for.

const extra = { isThere: false }
let calls = 0

const handler = createMcpHandler(() => {
  const server = new McpServer(
    { name: 'modern', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  )
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  const outputSchema = z.object({ sum: z.number() })
  server.registerTool('add', { description: 'Adds.', inputSchema, outputSchema }, ({ a, b }) => {
    calls++
    return { content: [{ type: 'text', text: `It is ${a + b}` }], structuredContent: { sum: a + b } }
  })
  server.registerTool('fail', { description: 'Fails.' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'out of order' }],
  }))
  if (extra.isThere)
    server.registerTool('more', { description: 'More.' }, () => ({
      content: [{ type: 'text', text: 'more' }],
    }))
  return server
})

const opened: { tools: McpTools; client: Client }[] = []
afterEach(async () => {
  for (const { tools, client } of opened.splice(0)) {
    await tools.dispose()
    await client.close()
  }
})

async function world(): Promise<{ registry: ToolRegistry; tools: McpTools; client: Client }> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
  const registry = createToolRegistry()
  const tools = await mcpTools(client, { scope: registry, followDelayMs: 1 })
  opened.push({ tools, client })
  return { registry, tools, client }
}

test('a server without sessions is called as any other', async () => {
  const { registry, tools, client } = await world()
  expect(client.getProtocolEra()).toBe('modern')
  expect(tools.problems).toEqual([])
  const added = await registry.execute({ callId: '1', name: 'add', arguments: { a: 1, b: 2 } })
  expect(added).toMatchObject({ value: { sum: 3 }, content: [{ type: 'text', text: 'It is 3' }] })
  const failed = await registry.execute({ callId: '2', name: 'fail' })
  expect(failed).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED', message: 'out of order' } })
  const wrong = await registry.execute({ callId: '3', name: 'add', arguments: { a: 1 } })
  expect(wrong).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
  expect(calls).toBe(1)
})

test('its changes are listened for', async () => {
  const { registry, tools } = await world()
  const changed = gate()
  tools.on('change', ({ kind }) => kind === 'added' && changed.open())
  extra.isThere = true
  handler.notify.toolsChanged()
  await changed.promise
  expect(registry.knownNames()).toContain('more')
  expect(await registry.execute({ callId: '1', name: 'more' })).toMatchObject({ value: 'more' })
})

import { createToolRegistry } from 'toolgate'
import { type McpClient, type McpToolsOptions, mcpTools } from 'toolgate/mcp'
import { describe, expect, test } from 'vitest'
import { CLIENTS, listedTool, NEVER, ScriptedServer, serverOf } from './scripted-server.js'

function deepSchema(levels: number): object {
  let schema: object = { type: 'string' }
  for (let i = 0; i < levels; i++) schema = { type: 'object', properties: { a: schema } }
  return schema
}

const code = (error: unknown): unknown => (error as { code?: unknown }).code

/** A client that is none of the SDK's. */
const bareClient = (request: (request: any) => unknown): McpClient => ({
  request: async given => request(given),
})

describe.each(Object.entries(CLIENTS))('with a client of %s', (_version, connect) => {
  const listed = async (tools: readonly unknown[], options: McpToolsOptions = {}) => {
    const registry = createToolRegistry()
    const made = await mcpTools(await connect(serverOf(tools)), { scope: registry, ...options })
    return { registry, names: registry.knownNames(), problems: made.problems, tools: made }
  }

  test.each([
    ['is no object', 'tool', 'INVALID_TOOL'],
    ['is null', null, 'INVALID_TOOL'],
    ['has no name', { inputSchema: { type: 'object' } }, 'INVALID_TOOL'],
    ['has a number for a name', listedTool(7 as never), 'INVALID_TOOL'],
    ['has a blank name', listedTool('  '), 'INVALID_TOOL'],
    ['has a name of 300 characters', listedTool('x'.repeat(300)), 'INVALID_TOOL'],
    ['hides characters in its name', listedTool('read\u202efile'), 'INVALID_TOOL'],
    ['hides letters in its name that models read', listedTool('read\u{e0041}\u{e0042}'), 'INVALID_TOOL'],
    ['hides bytes in its name', listedTool('read\u{e0101}'), 'INVALID_TOOL'],
    ['has a line break in its name', listedTool('read\nfile'), 'INVALID_TOOL'],
    ['has half a character in its name', listedTool('read\ud83d'), 'INVALID_TOOL'],
    ['takes the name of Code Mode', listedTool('run_code'), 'RESERVED_NAME'],
    ['lists a name again', listedTool('good'), 'DUPLICATE_TOOL'],
    ['has no input schema', { name: 'bad' }, 'INVALID_TOOL'],
    ['has a list for an input schema', { name: 'bad', inputSchema: [] }, 'INVALID_TOOL'],
    ['takes text for arguments', { name: 'bad', inputSchema: { type: 'string' } }, 'INVALID_TOOL'],
    ['needs to run as a task', listedTool('bad', { execution: { taskSupport: 'required' } }), 'INVALID_TOOL'],
    ['has a huge description', listedTool('bad', { description: 'x'.repeat(300_000) }), 'LIMIT_EXCEEDED'],
  ])('a tool that %s is refused and said to be; the others are there', async (_what, bad, expected) => {
    const { names, problems } = await listed([listedTool('good'), bad, listedTool('fine')])
    expect(names).toEqual(['good', 'fine'])
    expect(problems).toMatchObject([{ effect: 'refused', code: expected }])
  })

  test('a reserved name is no trouble with a prefix', async () => {
    const { names, problems } = await listed([listedTool('run_code')], { prefix: 'evil__' })
    expect(names).toEqual(['evil__run_code'])
    expect(problems).toEqual([])
  })

  test('a name that is taken in the scope is refused, and the other tool stays', async () => {
    const registry = createToolRegistry()
    const first = await mcpTools(await connect(serverOf([listedTool('a')])), { scope: registry })
    const second = await mcpTools(await connect(serverOf([listedTool('a'), listedTool('b')])), {
      scope: registry,
    })
    expect(second.problems).toMatchObject([{ tool: 'a', code: 'DUPLICATE_TOOL' }])
    expect(registry.knownNames()).toEqual(['a', 'b'])
    await first.dispose()
    expect(registry.knownNames()).toEqual(['b'])
  })

  test.each([
    ['an unknown type', { type: 'object', properties: { a: { type: 'objekt' } } }],
    ['a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/nothing' } } }],
    ['a bound that is no number', { type: 'object', properties: { a: { minimum: 'one' } } }],
  ])(
    'an input schema with %s leaves a tool whose arguments go out unchecked, and is said',
    async (_what, inputSchema) => {
      const { registry, problems } = await listed([listedTool('odd', { inputSchema })])
      expect(problems).toMatchObject([{ tool: 'odd', effect: 'degraded', code: 'UNSUPPORTED_SCHEMA' }])
      const result = await registry.execute({ callId: '1', name: 'odd', arguments: { a: 1 } })
      expect(result).toMatchObject({ isError: false, value: 'odd ran' })
    },
  )

  test('an output schema that cannot be used leaves a tool whose value is text, and is said', async () => {
    const outputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/nothing' } } }
    const { registry, problems } = await listed([listedTool('odd', { outputSchema })])
    expect(problems).toMatchObject([{ tool: 'odd', effect: 'degraded', code: 'UNSUPPORTED_SCHEMA' }])
    expect(await registry.execute({ callId: '1', name: 'odd' })).toMatchObject({ value: 'odd ran' })
  })

  test('nulls for what a tool leaves out count as left out', async () => {
    const bare = { title: null, description: null, outputSchema: null, annotations: null }
    const { registry, problems } = await listed([listedTool('plain', bare)])
    expect(problems).toEqual([])
    expect(registry.get('plain')).toMatchObject({ description: 'Calls plain.' })
  })

  test('a schema nested ten thousand deep does no harm to the others', async () => {
    const { names } = await listed(
      [listedTool('good'), listedTool('deep', { inputSchema: deepSchema(10_000) })],
      {
        maxDefinitionBytes: 4_000_000,
      },
    )
    expect(names).toContain('good')
  })

  test('more tools than the limit are not read, and it is said', async () => {
    const many = Array.from({ length: 30 }, (_item, i) => listedTool(`t${i}`))
    const { names, problems } = await listed(many, { maxTools: 20 })
    expect(names).toHaveLength(20)
    expect(problems).toMatchObject([{ code: 'LIMIT_EXCEEDED', effect: 'refused' }])
  })

  test('two thousand tools are there within the default limits', async () => {
    const many = Array.from({ length: 2_000 }, (_item, i) => listedTool(`t${i}`))
    const { names, problems } = await listed(many)
    expect(names).toHaveLength(2_000)
    expect(problems).toEqual([])
  })

  const pages = (cursorOf: (page: number) => unknown): ScriptedServer => {
    let page = 0
    return new ScriptedServer({
      'tools/list': () => ({ tools: [listedTool(`t${++page}`)], nextCursor: cursorOf(page) }),
    })
  }

  test.each([
    ['gives the same page for ever', () => 'again', 2],
    ['has no last page', (page: number) => `page ${page}`, 5],
  ])('a list that %s ends, and it is said', async (_what, cursorOf, read) => {
    const server = pages(cursorOf)
    const made = await mcpTools(await connect(server), { maxPages: 5 })
    expect(made.problems).toMatchObject([{ code: 'LIMIT_EXCEEDED' }])
    expect(server.count('tools/list')).toBe(read)
    expect(made.tools).toHaveLength(read)
  })

  test('a list that never comes ends with TOOL_TIMEOUT', async () => {
    const server = new ScriptedServer({ 'tools/list': () => NEVER })
    const made = mcpTools(await connect(server), { listTimeoutMs: 20 })
    expect(await made.catch(code)).toBe('TOOL_TIMEOUT')
    expect(server.count('notifications/cancelled')).toBe(1)
  })

  test('a server that goes away instead of listing ends with CONNECTION_LOST', async () => {
    const server = new ScriptedServer({
      'tools/list': (_params, exchange) => {
        exchange.close()
        return NEVER
      },
    })
    expect(await mcpTools(await connect(server)).catch(code)).toBe('CONNECTION_LOST')
  })

  test('a server that refuses to list ends with TOOL_FAILED and its own words', async () => {
    const server = new ScriptedServer({
      'tools/list': () => {
        throw { code: -32603, message: 'out of order' }
      },
    })
    const error = await mcpTools(await connect(server)).catch((thrown: Error) => thrown)
    expect(code(error)).toBe('TOOL_FAILED')
    expect((error as Error).message).toContain('out of order')
  })

  test('a server without tools has none, and is not asked', async () => {
    const server = new ScriptedServer({
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: {},
        serverInfo: { name: 'none', version: '1' },
      }),
    })
    expect((await mcpTools(await connect(server))).tools).toEqual([])
    expect(server.count('tools/list')).toBe(0)
  })
})

describe('with a client of one’s own', () => {
  test.each([['done'], [null], [undefined], [7], [[]]])('a list %j is INVALID_TOOL', async answer => {
    expect(await mcpTools(bareClient(() => answer)).catch(code)).toBe('INVALID_TOOL')
  })

  test.each([
    ['done'],
    [null],
    [undefined],
    [7],
    [[]],
    // Whatever it means, it is no success.
    [{ content: [], isError: 'true' }],
    [{ content: [], isError: 1 }],
    [{ content: [], isError: {} }],
  ])('an answer %j is INVALID_TOOL_OUTPUT', async answer => {
    const client = bareClient(({ method }) =>
      method === 'tools/list' ? { tools: [listedTool('a')] } : answer,
    )
    const registry = createToolRegistry()
    await mcpTools(client, { scope: registry })
    const result = await registry.execute({ callId: '1', name: 'a' })
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
  })

  test.each([
    [
      'an error without a message',
      () => {
        throw {}
      },
    ],
    [
      'null',
      () => {
        throw null
      },
    ],
    [
      'text',
      () => {
        throw 'no'
      },
    ],
    [
      'an error whose message throws',
      () => {
        throw Object.defineProperty(new Error(), 'message', {
          get: () => {
            throw new Error('x')
          },
        })
      },
    ],
  ])('a client that throws %s fails the call with TOOL_FAILED', async (_what, fail) => {
    const client = bareClient(({ method }) =>
      method === 'tools/list' ? { tools: [listedTool('a')] } : fail(),
    )
    const registry = createToolRegistry()
    await mcpTools(client, { scope: registry })
    const result = await registry.execute({ callId: '1', name: 'a' })
    expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
  })

  test.each([
    ['no client', undefined, {}],
    ['an option that there is none of', bareClient(() => ({ tools: [] })), { prefx: 'a' }],
    ['a scope that is none', bareClient(() => ({ tools: [] })), { scope: {} }],
    ['a prefix that is no text', bareClient(() => ({ tools: [] })), { prefix: 1 }],
    ['a timeout of no time', bareClient(() => ({ tools: [] })), { timeoutMs: 0 }],
    ['a policy that there is none of', bareClient(() => ({ tools: [] })), { changedTools: 'ask' }],
    ['a list of names that is none', bareClient(() => ({ tools: [] })), { include: 'a' }],
    ['a listener that is none', bareClient(() => ({ tools: [] })), { onChange: 1 }],
    ['options that are none', bareClient(() => ({ tools: [] })), null],
    ['a slip in reconnect', bareClient(() => ({ tools: [] })), { reconnect: { tries: 1 } }],
  ])('%s is INVALID_OPTIONS', async (_what, client, options) => {
    expect(await mcpTools(client as never, options as never).catch(code)).toBe('INVALID_OPTIONS')
  })
})

import { createToolRegistry, type ToolExecutionResult, type ToolRegistry } from 'toolgate'
import { type McpClient, type McpToolsOptions, mcpTools } from 'toolgate/mcp'
import { describe, expect, test } from 'vitest'
import { gate } from '../../support/tools.js'
import { CLIENTS, listedTool, NEVER, rpcError, ScriptedServer, serverOf } from './scripted-server.js'

const PERSON = {
  type: 'object',
  properties: { person: { $ref: '#/$defs/person' } },
  required: ['person'],
  $defs: {
    person: {
      type: 'object',
      properties: { name: { type: 'string' }, boss: { $ref: '#/$defs/person' } },
      required: ['name'],
    },
  },
}

const run = (registry: ToolRegistry, name: string, args: unknown = {}): Promise<ToolExecutionResult> =>
  registry.execute({ callId: `call of ${name}`, name, arguments: args })

const errorOf = (result: ToolExecutionResult): { code: string; message: string; details?: any } => {
  if (!result.isError) throw new Error('the call succeeded')
  return result.error
}

describe.each(Object.entries(CLIENTS))('with a client of %s', (_version, connect) => {
  async function world(
    server: ScriptedServer,
    options: McpToolsOptions = {},
  ): Promise<{ registry: ToolRegistry; tools: Awaited<ReturnType<typeof mcpTools>>; client: McpClient }> {
    const client = await connect(server)
    const registry = createToolRegistry()
    const tools = await mcpTools(client, { scope: registry, ...options })
    return { registry, tools, client }
  }

  describe('a server’s tools', () => {
    test('have the server’s names, or a prefix before them', async () => {
      const names = async (options: McpToolsOptions): Promise<string[]> =>
        (await world(serverOf([listedTool('read.file'), listedTool('a/b')]), options)).registry.knownNames()
      expect(await names({})).toEqual(['read.file', 'a/b'])
      expect(await names({ prefix: 'files__' })).toEqual(['files__read.file', 'files__a/b'])
    })

    test('are called by the server’s own name whatever the prefix', async () => {
      const server = serverOf([listedTool('ping')])
      const { registry } = await world(server, { prefix: 'x__' })
      expect(await run(registry, 'x__ping', {})).toMatchObject({ isError: false, value: 'ping ran' })
      expect((await server.next('tools/call')).params).toMatchObject({ name: 'ping', arguments: {} })
    })

    test('can be chosen by name, and a chosen one that is missing is reported', async () => {
      const { registry, tools } = await world(serverOf([listedTool('a'), listedTool('b')]), {
        include: ['b', 'c'],
      })
      expect(registry.knownNames()).toEqual(['b'])
      expect(tools.problems).toMatchObject([{ tool: 'c', effect: 'refused', code: 'UNKNOWN_TOOL' }])
    })

    test('can be left out by name, and one that is to be left out and is not there is reported', async () => {
      const server = serverOf([
        listedTool('a'),
        listedTool('b'),
        listedTool('c'),
        { name: 'bad', inputSchema: 1 },
      ])
      const { registry, tools } = await world(server, { include: ['a', 'b'], exclude: ['b', 'bad', 'd'] })
      expect(registry.knownNames()).toEqual(['a'])
      expect(await run(registry, 'b')).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } })
      expect(server.count('tools/call')).toBe(0)
      expect(tools.problems).toMatchObject([{ tool: 'd', effect: 'degraded', code: 'UNKNOWN_TOOL' }])
    })

    test('can be had without a scope', async () => {
      const client = await connect(serverOf([listedTool('ping')]))
      const registry = createToolRegistry({ tools: (await mcpTools(client)).tools })
      expect(await run(registry, 'ping')).toMatchObject({ value: 'ping ran' })
    })

    test('keep their titles, descriptions and schemas, $defs and draft included', async () => {
      const inputSchema = { $schema: 'http://json-schema.org/draft-07/schema#', ...PERSON }
      const { registry } = await world(
        serverOf([{ name: 'hire', title: 'Hire someone', inputSchema, outputSchema: PERSON }]),
      )
      const tool = registry.get('hire')
      expect(tool).toMatchObject({ title: 'Hire someone', description: 'Hire someone' })
      expect(tool?.parameters).toEqual(inputSchema)
      expect(tool?.output?.schema).toEqual(PERSON)
    })

    test('have their arguments checked before anything is sent', async () => {
      const server = serverOf([listedTool('hire', { inputSchema: PERSON })])
      const { registry } = await world(server)
      const error = errorOf(await run(registry, 'hire', { person: { name: 'Ada', boss: { name: 1 } } }))
      expect(error.code).toBe('INVALID_ARGS')
      expect(error.message).toContain('person.boss.name')
      expect(server.count('tools/call')).toBe(0)
    })

    test('are read from every page', async () => {
      const pages: Record<string, unknown> = {
        first: { tools: [listedTool('a')], nextCursor: 'second' },
        second: { tools: [listedTool('b')], nextCursor: 'third' },
        third: { tools: [listedTool('c')] },
      }
      const paged = new ScriptedServer({ 'tools/list': params => pages[params?.cursor ?? 'first'] })
      expect((await world(paged)).registry.knownNames()).toEqual(['a', 'b', 'c'])
    })
  })

  describe('a server’s hints', () => {
    const annotations = { title: 'T', readOnlyHint: true, idempotentHint: true, openWorldHint: true }

    test('are kept where they ask for more care, and dropped where they ask for less', async () => {
      const server = serverOf([
        listedTool('a', { annotations }),
        listedTool('b', { annotations: { destructiveHint: true, readOnlyHint: false } }),
      ])
      const { registry } = await world(server)
      expect(registry.get('a')?.annotations).toEqual({ openWorldHint: true })
      expect(registry.get('b')?.annotations).toEqual({ destructiveHint: true, readOnlyHint: false })
      expect(registry.executionMode({ callId: '1', name: 'a' })).toEqual({ kind: 'exclusive' })
    })

    test('are all believed where the host says so', async () => {
      const { registry } = await world(serverOf([listedTool('a', { annotations })]), {
        trustAnnotations: true,
      })
      expect(registry.get('a')?.annotations).toEqual(annotations)
      expect(registry.executionMode({ callId: '1', name: 'a' })).toEqual({ kind: 'parallel' })
    })
  })

  describe('an answer', () => {
    const blocks = [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'a' } },
    ]

    test('keeps every kind of content block', async () => {
      const { registry } = await world(serverOf([listedTool('look')], () => ({ content: blocks })))
      const result = await run(registry, 'look')
      expect(result.content).toEqual(blocks)
      expect(result).toMatchObject({
        value: 'see\n[image content]\n[audio content]\n[resource_link content]\n[resource content]',
      })
    })

    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

    test('has its structured content as value and the server’s blocks as content', async () => {
      const { registry } = await world(
        serverOf([listedTool('count', { outputSchema })], () => ({
          content: blocks,
          structuredContent: { n: 3 },
          _meta: { ui: 'x' },
        })),
      )
      const result = await run(registry, 'count')
      expect(result).toMatchObject({ isError: false, value: { n: 3 }, meta: { _meta: { ui: 'x' } } })
      expect(result.content).toEqual(blocks)
    })

    test('is the structured content as text where the server sent no blocks', async () => {
      const { registry } = await world(
        serverOf([listedTool('count', { outputSchema })], () => ({ structuredContent: { n: 3 } })),
      )
      expect((await run(registry, 'count')).content).toEqual([{ type: 'text', text: '{"n":3}' }])
    })

    test('keeps structured content that no schema was declared for in meta', async () => {
      const { registry } = await world(
        serverOf([listedTool('count')], () => ({ content: [], structuredContent: { n: 3 } })),
      )
      expect(await run(registry, 'count')).toMatchObject({
        value: '{"n":3}',
        meta: { structuredContent: { n: 3 } },
      })
    })

    test('gives each of two calls at a time its own content', async () => {
      const answers = [gate<object>(), gate<object>()]
      let next = 0
      const server = serverOf(
        [listedTool('count', { outputSchema, annotations: { readOnlyHint: true } })],
        () => answers[next++]?.promise,
      )
      const { registry } = await world(server, { trustAnnotations: true })
      const results = registry.executeAll([
        { callId: '1', name: 'count' },
        { callId: '2', name: 'count' },
      ])
      const answer = (text: string, n: number): object => ({
        content: [{ type: 'text', text }],
        structuredContent: { n },
      })
      answers[1]?.open(answer('second', 2))
      answers[0]?.open(answer('first', 1))
      expect((await results).map(result => result.content)).toEqual([
        [{ type: 'text', text: 'first' }],
        [{ type: 'text', text: 'second' }],
      ])
    })

    test('does not bring its content back for a value that a stage has written', async () => {
      const client = await connect(
        serverOf([listedTool('count', { outputSchema })], () => ({
          content: [{ type: 'text', text: 'secret' }],
          structuredContent: { n: 3 },
        })),
      )
      const registry = createToolRegistry({
        stages: [{ postExecute: () => ({ kind: 'accept', value: { n: 0 } }) }],
      })
      await mcpTools(client, { scope: registry })
      const result = await run(registry, 'count')
      expect(result).toMatchObject({ value: { n: 0 } })
      expect(JSON.stringify(result)).not.toContain('secret')
    })

    test('that is an error is a failure with the server’s own text and its other blocks', async () => {
      const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
      const { registry } = await world(
        serverOf([listedTool('fail', { outputSchema })], () => ({
          isError: true,
          content: [{ type: 'text', text: 'No such file: a.txt' }, image],
        })),
      )
      const error = errorOf(await run(registry, 'fail'))
      expect(error).toMatchObject({ code: 'TOOL_FAILED', message: 'No such file: a.txt' })
      expect(error.details).toEqual({ content: [image] })
    })

    test('that is a JSON-RPC error is a failure with its code', async () => {
      const { registry } = await world(
        serverOf([listedTool('fail')], () => {
          throw rpcError(-32603, 'the disk is full')
        }),
      )
      expect(errorOf(await run(registry, 'fail'))).toMatchObject({
        code: 'TOOL_FAILED',
        message: 'the disk is full',
        details: { rpcCode: -32603 },
      })
    })

    test.each([
      ['breaks its output schema', { structuredContent: { n: 'three' } }],
      ['lacks the structured content it promised', { content: [{ type: 'text', text: '3' }] }],
      ['has content that is no list', { content: 'done', structuredContent: { n: 1 } }],
      ['has a block of an unknown kind', { content: [{ type: 'video' }], structuredContent: { n: 1 } }],
      ['has a block that lacks its data', { content: [{ type: 'image' }], structuredContent: { n: 1 } }],
    ])('that %s is INVALID_TOOL_OUTPUT', async (_what, answer) => {
      const { registry } = await world(serverOf([listedTool('count', { outputSchema })], () => answer))
      expect(errorOf(await run(registry, 'count')).code).toBe('INVALID_TOOL_OUTPUT')
    })
  })

  describe('a call under way', () => {
    test('passes the server’s progress on', async () => {
      const answer = gate()
      const server = serverOf([listedTool('work')], async (params, exchange) => {
        const { progressToken } = params._meta
        exchange.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'half' })
        exchange.notify('notifications/progress', { progressToken, progress: 2, total: 2 })
        await answer.promise
        return { content: [] }
      })
      const { registry } = await world(server)
      const heard: object[] = []
      registry.on('progress', ({ message, completed, total }) => {
        heard.push({ message, completed, total })
        if (heard.length === 2) answer.open()
      })
      await run(registry, 'work')
      expect(heard).toEqual([
        { message: 'half', completed: 1, total: 2 },
        { message: undefined, completed: 2, total: 2 },
      ])
    })

    test('that is aborted is cancelled at the server and says that the server may still be at work', async () => {
      const server = serverOf([listedTool('work')], () => NEVER)
      const { registry } = await world(server)
      const abort = new AbortController()
      const result = registry.execute({ callId: '1', name: 'work', signal: abort.signal })
      const { id } = await server.next('tools/call')
      abort.abort()
      expect(errorOf(await result)).toMatchObject({ code: 'ABORTED', details: { bodyStopped: false } })
      expect((await server.next('notifications/cancelled')).params).toMatchObject({ requestId: id })
    })

    test('that is never answered ends, and the server is told', async () => {
      const server = serverOf([listedTool('work')], () => NEVER)
      const { registry } = await world(server, { timeoutMs: 20 })
      const error = errorOf(await run(registry, 'work'))
      expect(error).toMatchObject({ code: 'TOOL_TIMEOUT', details: { bodyStopped: false } })
      expect(server.count('notifications/cancelled')).toBe(1)
    })

    test('that reports progress for ever ends too', async () => {
      const server = serverOf([listedTool('work')], ({ _meta }, exchange) => {
        let progress = 0
        const timer = setInterval(() => {
          exchange.notify('notifications/progress', {
            progressToken: _meta.progressToken,
            progress: ++progress,
          })
          if (progress > 1000) clearInterval(timer)
        }, 5)
        stop = () => clearInterval(timer)
        return NEVER
      })
      let stop = (): void => {}
      const { registry } = await world(server, { timeoutMs: 1_000, maxTimeoutMs: 40 })
      expect(errorOf(await run(registry, 'work')).message).toContain('within 40 ms')
      stop()
    })

    test('whose server goes away fails with CONNECTION_LOST, and so do those after it', async () => {
      const server = serverOf([listedTool('work')], (_params, exchange) => {
        exchange.close()
        return NEVER
      })
      const { registry } = await world(server)
      expect(errorOf(await run(registry, 'work'))).toMatchObject({
        code: 'CONNECTION_LOST',
        details: { sent: true, bodyStopped: false },
      })
      expect(errorOf(await run(registry, 'work'))).toMatchObject({
        code: 'CONNECTION_LOST',
        details: { sent: false },
      })
    })
  })
})

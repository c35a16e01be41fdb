import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Server as ServerV2 } from '@modelcontextprotocol/server'
import { createToolRegistry, defineTool, type ToolRegistry } from 'toolgate'
import { type McpServing, mcpTools, type ServeMcpOptions, serveMcp } from 'toolgate/mcp'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, test } from 'vitest'
import { countedTool, gate } from '../../support/tools.js'

interface World {
  readonly client: ClientV1
  readonly serving: McpServing
}

/** A client at the other end of an in-memory transport. */
async function connected(
  registry: ToolRegistry,
  options: Partial<ServeMcpOptions> = {},
  client: ClientV1 = new ClientV1({ name: 'test', version: '1' }),
): Promise<World> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const serving = await serveMcp(registry, { transport: here, ...options })
  await client.connect(there)
  return { client, serving }
}

const sum = defineTool({
  name: 'sum',
  title: 'Sum',
  description: 'Adds.',
  annotations: { readOnlyHint: true },
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { sum: { type: 'number', required: true } },
    },
    render: (_args, value) => [{ type: 'text', text: `It is ${value.sum}` }],
  },
  execute: ({ a, b }) => ({ sum: a + b }),
})

const primes = defineTool({
  name: 'primes',
  description: 'Lists primes.',
  parameters: {},
  output: {
    schema: { type: 'array', items: { type: 'number' } },
    render: (_args, value) => [{ type: 'text', text: value.join(' ') }],
  },
  execute: () => [2, 3, 5],
})

describe('a registry that is served', () => {
  test('lists its tools with titles, schemas and hints', async () => {
    const { client } = await connected(createToolRegistry({ tools: [sum, primes] }))
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([
      {
        name: 'sum',
        title: 'Sum',
        description: 'Adds.',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', required: ['a', 'b'] },
        outputSchema: { type: 'object', required: ['sum'] },
      },
      {
        name: 'primes',
        outputSchema: { type: 'object', required: ['result'], properties: { result: { type: 'array' } } },
      },
    ])
  })

  test('answers calls with content and structured content, and what is no object stands under result', async () => {
    const { client } = await connected(createToolRegistry({ tools: [sum, primes] }))
    await client.listTools()
    expect(await client.callTool({ name: 'sum', arguments: { a: 1, b: 2 } })).toEqual({
      content: [{ type: 'text', text: 'It is 3' }],
      structuredContent: { sum: 3 },
    })
    expect(await client.callTool({ name: 'primes' })).toEqual({
      content: [{ type: 'text', text: '2 3 5' }],
      structuredContent: { result: [2, 3, 5] },
    })
  })

  test('sends values whose schema cannot stand inside another one as text only', async () => {
    const list = { $defs: { n: { type: 'number' } }, type: 'array', items: { $ref: '#/$defs/n' } }
    const tool = countedTool('list', () => [1, 2], {
      output: { schema: list, render: () => [{ type: 'text', text: '1, 2' }] },
    })
    const registry = createToolRegistry({ tools: [tool] })
    const { client } = await connected(registry)
    expect((await client.listTools()).tools[0]?.outputSchema).toBeUndefined()
    expect(await client.callTool({ name: 'list' })).toEqual({ content: [{ type: 'text', text: '1, 2' }] })
  })

  test('keeps every kind of content', async () => {
    const content = [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'a' } },
    ]
    const look = countedTool('look', () => content)
    const { client } = await connected(createToolRegistry({ tools: [look] }))
    expect((await client.callTool({ name: 'look' })).content).toEqual(content)
  })

  test('runs calls through its policies: a denial is an error with its code, and the body does not run', async () => {
    const tool = countedTool('rm')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ preExecute: () => ({ kind: 'deny', reason: 'not today' }) }],
    })
    const { client } = await connected(registry)
    expect(await client.callTool({ name: 'rm' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('not today') }],
      _meta: { 'toolgate/code': 'DENIED' },
    })
    expect(tool.runs()).toBe(0)
  })

  test('says what is wrong with arguments', async () => {
    const { client } = await connected(createToolRegistry({ tools: [sum] }))
    expect(await client.callTool({ name: 'sum', arguments: { a: '1' } })).toMatchObject({
      isError: true,
      _meta: { 'toolgate/code': 'INVALID_ARGS' },
    })
  })

  test('answers a call of no tool with the protocol’s own error and the nearest name', async () => {
    const { client } = await connected(createToolRegistry({ tools: [sum] }))
    const error = await client.callTool({ name: 'summ' }).catch(thrown => thrown)
    expect(error.code).toBe(-32602)
    expect(error.message).toContain('Did you mean "sum"?')
  })

  test('sends what a stage wants the model to be told after the content', async () => {
    const tool = countedTool('a')
    const reminder = { source: 'r', content: [{ type: 'text', text: 'Mind the gap.' } as const] }
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ postExecute: () => ({ kind: 'accept', additionalContexts: [reminder] }) }],
    })
    const { client } = await connected(registry)
    expect((await client.callTool({ name: 'a' })).content).toEqual([
      { type: 'text', text: 'done' },
      { type: 'text', text: 'Mind the gap.' },
    ])
  })

  test('reports the progress of a tool that tells of every step in part, its last step before the answer', async () => {
    const steps = 10_000
    const work = countedTool('work', async (_args, context) => {
      for (let i = 1; i <= steps; i++) context.progress({ completed: i, total: steps })
      return 'done'
    })
    const { client } = await connected(createToolRegistry({ tools: [work] }))
    const heard: { progress: number }[] = []
    await client.callTool({ name: 'work' }, undefined, { onprogress: report => heard.push(report) })
    const numbers = heard.map(({ progress }) => progress)
    expect(numbers.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(numbers.at(-1)).toBe(steps)
    expect(numbers.length).toBeLessThan(100)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  test('reports progress that grows, to those who ask', async () => {
    const tool = countedTool('work', (_args, context) => {
      context.progress({ completed: 0, total: 4 })
      context.progress({ completed: 1, total: 4, message: 'began' })
      context.progress({ message: 'still here' })
      context.progress({ completed: 1 })
      context.progress({ completed: 4, total: 4 })
      return 'done'
    })
    const { client } = await connected(createToolRegistry({ tools: [tool] }))
    const heard: object[] = []
    await client.callTool({ name: 'work' }, undefined, { onprogress: report => heard.push(report) })
    expect(heard).toEqual([
      { progress: 0, total: 4 },
      { progress: 1, total: 4, message: 'began' },
      { progress: 2, message: 'still here' },
      { progress: 3, message: 'work: 1' },
      { progress: 4, total: 4 },
    ])
  })

  test('aborts a call that the client cancels', async () => {
    const started = gate()
    const stopped = gate<unknown>()
    const tool = countedTool('work', (_args, { signal }) => {
      started.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.open(signal.aborted)
          reject(signal.reason)
        })
      })
    })
    const { client } = await connected(createToolRegistry({ tools: [tool] }))
    const abort = new AbortController()
    const call = client
      .callTool({ name: 'work' }, undefined, { signal: abort.signal })
      .catch(() => 'cancelled')
    await started.promise
    abort.abort()
    expect(await call).toBe('cancelled')
    expect(await stopped.promise).toBe(true)
  })

  test('aborts the calls of a client that goes away, and leaves no scope behind', async () => {
    const started = gate()
    const stopped = gate()
    const tool = countedTool('work', (_args, { signal }) => {
      started.open()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.open()
          reject(signal.reason)
        })
      })
    })
    const registry = createToolRegistry({ tools: [tool] })
    const scopes: string[] = []
    registry.on('change', ({ kind, scope }) => scopes.push(`${kind} ${scope}`))
    const { client, serving } = await connected(registry)
    client.callTool({ name: 'work' }).catch(() => {})
    await started.promise
    await client.close()
    await stopped.promise
    await serving.closed
    expect(scopes.map(change => change.split(' ')[0])).toEqual(['created', 'disposed'])
    await serving.close()
  })

  test('tells of changes of its tools once, and of no others', async () => {
    const registry = createToolRegistry({ tools: [sum], scopes: [{ id: 'other' }] })
    const heard = gate()
    let notices = 0
    const client = new ClientV1(
      { name: 'test', version: '1' },
      {
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (notices++, heard.open()) },
        },
      },
    )
    await connected(registry, {}, client)
    await client.listTools()
    const hidden = countedTool('hidden')
    registry.scope('other').register(hidden)
    registry.register(primes)
    registry.register({ ...primes, name: 'more' })
    await heard.promise
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['sum', 'primes', 'more'])
    expect(notices).toBe(1)
  })

  test('gives long lists in pages', async () => {
    const tools = Array.from({ length: 5 }, (_item, i) => ({ ...primes, name: `t${i}` }))
    const { client } = await connected(createToolRegistry({ tools }), { pageSize: 2 })
    const first = await client.listTools()
    const second = await client.listTools({ cursor: first.nextCursor as string })
    const third = await client.listTools({ cursor: second.nextCursor as string })
    expect([first, second, third].flatMap(page => page.tools.map(tool => tool.name))).toEqual([
      't0',
      't1',
      't2',
      't3',
      't4',
    ])
    expect(third.nextCursor).toBeUndefined()
    expect((await client.listTools({ cursor: 'x' }).catch(thrown => thrown)).code).toBe(-32602)
  })

  test('can be one scope of it, with the caller that the host makes of the request', async () => {
    const callers: unknown[] = []
    const registry = createToolRegistry({
      tools: [sum, primes],
      scopes: [{ id: 'narrow', restrict: { allow: ['sum'] } }],
      stages: [{ onResult: call => void callers.push(call.caller) }],
    })
    const { client } = await connected(registry, {
      scope: 'narrow',
      caller: extra => (extra as { requestId: unknown }).requestId !== undefined,
    })
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['sum'])
    await client.callTool({ name: 'sum', arguments: { a: 1, b: 1 } })
    expect(callers).toEqual([true])
    expect((await client.callTool({ name: 'primes' }).catch(thrown => thrown)).code).toBe(-32602)
  })

  test('comes back as the same tools through mcpTools', async () => {
    const { client } = await connected(createToolRegistry({ tools: [sum] }))
    const registry = createToolRegistry()
    await mcpTools(client, { scope: registry })
    expect(registry.get('sum')).toMatchObject({ title: 'Sum', description: 'Adds.' })
    const result = await registry.execute({ callId: '1', name: 'sum', arguments: { a: 1, b: 2 } })
    expect(result).toMatchObject({ value: { sum: 3 }, content: [{ type: 'text', text: 'It is 3' }] })
  })

  test('works with a server and a client of SDK v2', async () => {
    const registry = createToolRegistry({ tools: [sum] })
    const [here, there] = InMemoryTransport.createLinkedPair()
    const server = new ServerV2({ name: 'v2', version: '1' }, { capabilities: { tools: {} } })
    const work = countedTool('work', (_args, context) => {
      context.progress({ completed: 1, total: 2 })
      return 'done'
    })
    registry.register(work)
    await serveMcp(registry, { server, transport: here })
    const client = new ClientV2({ name: 'test', version: '1' })
    await client.connect(there as never)
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['sum', 'work'])
    const heard: object[] = []
    const options = { onprogress: (report: object) => void heard.push(report) }
    expect(await client.callTool({ name: 'work', arguments: {} }, options)).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    })
    expect(heard).toEqual([{ progress: 1, total: 2 }])
    expect(await client.callTool({ name: 'sum', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    })
  })
})

describe('a registry that is served in Code Mode', () => {
  const codeRegistry = (): ToolRegistry =>
    createToolRegistry({ tools: [sum, primes], codeRuntime: () => quickJsRuntime() })

  test('has one tool, and its declarations are the instructions', async () => {
    const { client } = await connected(codeRegistry(), { mode: 'code', instructions: 'Be brief.' })
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual(['run_code'])
    expect(tools[0]?.description).toContain('catalog.search')
    const instructions = client.getInstructions()
    expect(instructions).toMatch(/^Be brief\.\n\n/)
    expect(instructions).toContain('sum(args: {')
  })

  test('can have its declarations in the description, where they follow changes', async () => {
    const registry = codeRegistry()
    const { client } = await connected(registry, { mode: 'code', declarations: 'description' })
    expect(client.getInstructions()).toBeUndefined()
    const described = async (): Promise<string> => (await client.listTools()).tools[0]?.description ?? ''
    expect(await described()).toContain('primes(')
    registry.register({ ...primes, name: 'evens' })
    expect(await described()).toContain('evens(')
  })

  test('runs programs, with a report of progress for each call', async () => {
    const { client } = await connected(codeRegistry(), { mode: 'code' })
    const heard: { message?: string | undefined }[] = []
    const code = 'const all = await tools.primes({}); return (await tools.sum({ a: all[0], b: all[1] })).sum'
    const result = await client.callTool(
      { name: 'run_code', arguments: { code, description: 'Add two primes' } },
      undefined,
      { onprogress: report => heard.push(report) },
    )
    expect(result.content).toMatchObject([{ type: 'text', text: expect.stringContaining('5') }])
    expect(heard.map(report => report.message)).toEqual(['calls primes', 'calls sum'])
  })

  test('refuses direct calls of the tools behind it', async () => {
    const { client } = await connected(codeRegistry(), { mode: 'code' })
    const result = await client.callTool({ name: 'sum', arguments: { a: 1, b: 2 } }).catch(thrown => thrown)
    expect(JSON.stringify(result) + result.message).toContain('run_code')
  })

  test('sends the images of a program’s calls', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const registry = codeRegistry()
    const look = countedTool('look', () => [image])
    registry.register(look)
    const { client } = await connected(registry, { mode: 'code' })
    const { content } = await client.callTool({
      name: 'run_code',
      arguments: { code: 'await tools.look({})', description: 'Look' },
    })
    expect(content).toContainEqual(image)
  })
})

describe('approvals of a served registry', () => {
  const asking = { preExecute: () => ({ kind: 'ask', reason: 'It deletes.' }) as const }
  const elicitingClient = (answer: (params: any) => object): ClientV1 => {
    const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, request => answer(request.params) as never)
    return client
  }

  test('are asked of the client’s user, who sees what will run', async () => {
    const tool = countedTool('rm')
    const registry = createToolRegistry({ tools: [tool], stages: [asking], approve: () => 'rejected' })
    const asked: any[] = []
    const client = elicitingClient(params => {
      asked.push(params)
      return { action: 'accept', content: { decision: 'Allow once' } }
    })
    await connected(registry, {}, client)
    expect(await client.callTool({ name: 'rm', arguments: { path: 'a\u202eb\u{e0041}' } })).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    })
    expect(asked[0].message).toContain('"rm"')
    expect(asked[0].message).toContain('It deletes.')
    expect(asked[0].message).toContain('a\\u202eb\\udb40\\udc41')
    expect(tool.runs()).toBe(1)
  })

  test.each([
    [{ action: 'decline' }, 'APPROVAL_REJECTED'],
    [{ action: 'cancel' }, 'APPROVAL_CANCELLED'],
    [{ action: 'accept', content: { decision: 'Refuse', reason: 'too risky' } }, 'APPROVAL_REJECTED'],
    [{ action: 'accept', content: { decision: 'yes' } }, 'APPROVAL_UNAVAILABLE'],
    [{ action: 'accept' }, 'APPROVAL_UNAVAILABLE'],
  ])('%j refuses with %s, and the body does not run', async (answer, code) => {
    const tool = countedTool('rm')
    const registry = createToolRegistry({ tools: [tool], stages: [asking], approve: () => 'allowed-once' })
    const client = elicitingClient(() => answer)
    await connected(registry, {}, client)
    const result = await client.request(
      { method: 'tools/call', params: { name: 'rm' } },
      CallToolResultSchema,
    )
    expect(result).toMatchObject({ isError: true, _meta: { 'toolgate/code': code } })
    expect(tool.runs()).toBe(0)
  })

  test('of a program’s calls are asked as well', async () => {
    const tool = countedTool('rm')
    const registry = createToolRegistry({
      tools: [tool],
      stages: [{ preExecute: call => ({ kind: call.name === 'rm' ? 'ask' : 'allow' }) }],
      codeRuntime: () => quickJsRuntime(),
    })
    let asked = 0
    const client = elicitingClient(() => {
      asked++
      return { action: 'accept', content: { decision: 'Allow once' } }
    })
    await connected(registry, { mode: 'code' }, client)
    const { content } = await client.callTool({
      name: 'run_code',
      arguments: { code: 'return await tools.rm({})', description: 'Remove' },
    })
    expect(content).toMatchObject([{ text: expect.stringContaining('done') }])
    expect([asked, tool.runs()]).toEqual([1, 1])
  })

  test.each([
    ['where the client cannot ask', new ClientV1({ name: 'test', version: '1' }), {}],
    [
      'where the host does not want it to',
      elicitingClient(() => ({ action: 'decline' })),
      { elicitation: false },
    ],
  ])('are the registry’s own %s', async (_where, client, options) => {
    const tool = countedTool('rm')
    const registry = createToolRegistry({ tools: [tool], stages: [asking], approve: () => 'allowed-once' })
    await connected(registry, options, client)
    expect(await client.callTool({ name: 'rm' })).toMatchObject({ content: [{ text: 'done' }] })
    expect(tool.runs()).toBe(1)
  })
})

test.each([
  ['nothing to serve over', {}],
  ['an option that there is none of', { transport: {}, scopes: 'a' }],
  ['a place for declarations that there is none of', { transport: {}, declarations: 'prompt' }],
  ['a code mode without a runtime', { transport: {}, mode: 'code' }],
])('%s is INVALID_OPTIONS', async (_what, options) => {
  const error = await serveMcp(createToolRegistry(), options as never).catch(thrown => thrown)
  expect(error.code).toBe('INVALID_OPTIONS')
})

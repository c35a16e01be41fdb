import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createToolRegistry, type ToolExecutionResult, type ToolRegistry } from 'toolgate'
import { type McpClient, type McpTools, mcpTools } from 'toolgate/mcp'
import { quickJsRuntime } from 'toolgate/quickjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))

/** Servers as the registry has them: three of the protocol's own project, three that others wrote. */
const PROGRAMS: { readonly [name: string]: string } = {
  everything: '@modelcontextprotocol/server-everything/dist/index.js',
  files: '@modelcontextprotocol/server-filesystem/dist/index.js',
  memory: '@modelcontextprotocol/server-memory/dist/index.js',
  time: '.bin/time-mcp',
  think: '.bin/mcp-sequentialthinking-tools',
  calc: '.bin/calc-mcp',
}

async function start(name: string, args: readonly string[], env: Record<string, string>): Promise<McpClient> {
  const program = {
    command: process.execPath,
    args: [join(modules, PROGRAMS[name] ?? ''), ...args],
    env,
    stderr: 'ignore',
  } as const
  // Both versions of the SDK have to do.
  if (name === 'files' || name === 'time') {
    const client = new ClientV2({ name: 'test', version: '1' })
    await client.connect(new StdioV2({ ...program, args: [...program.args] }))
    return client
  }
  const client = new ClientV1({ name: 'test', version: '1' })
  await client.connect(new StdioV1({ ...program, args: [...program.args] }))
  return client
}

let folder = ''
const registry: ToolRegistry = createToolRegistry({ codeRuntime: () => quickJsRuntime() })
const servers: { [name: string]: McpTools } = {}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'toolgate-real-')))
  await writeFile(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
  await Promise.all(
    Object.keys(PROGRAMS).map(async name => {
      const env = name === 'memory' ? { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } : {}
      const args = name === 'files' ? [folder] : []
      servers[name] = await mcpTools(() => start(name, args, env), {
        scope: registry,
        prefix: `${name}__`,
        trustAnnotations: true,
      })
    }),
  )
})
afterAll(async () => {
  await Promise.all(Object.values(servers).map(server => server.dispose()))
  await registry.dispose()
  await rm(folder, { recursive: true, force: true })
})

const run = (name: string, args: object = {}): Promise<ToolExecutionResult> =>
  registry.execute({ callId: `call of ${name}`, name, arguments: args })

const success = async (name: string, args?: object) => {
  const result = await run(name, args)
  if (result.isError) throw new Error(`${name}: ${result.error.message}`)
  return result
}

test('every tool of six servers is there and checked, but one that is a task of the protocol', () => {
  const counts = Object.fromEntries(Object.entries(servers).map(([name, { tools }]) => [name, tools.length]))
  expect(counts).toEqual({ everything: 12, files: 14, memory: 9, time: 6, think: 1, calc: 21 })
  expect(Object.values(servers).flatMap(({ problems }) => problems)).toMatchObject([
    { tool: 'simulate-research-query', effect: 'refused' },
  ])
})

describe('natively', () => {
  test('structured content is the value, and the blocks are the content', async () => {
    const result = await success('everything__get-structured-content', { location: 'Chicago' })
    expect(result.value).toMatchObject({ temperature: expect.any(Number), conditions: expect.any(String) })
    expect(result.content).toMatchObject([{ type: 'text' }])
  })

  test('images, resource links and embedded resources are kept', async () => {
    const kinds = async (name: string, args?: object): Promise<string[]> =>
      (await success(name, args)).content.map(({ type }) => type)
    expect(await kinds('everything__get-tiny-image')).toContain('image')
    expect(await kinds('everything__get-resource-links', { count: 2 })).toContain('resource_link')
    expect(await kinds('everything__get-resource-reference')).toContain('resource')
  })

  test('progress is told, and a call that is aborted ends at once', async () => {
    const name = 'everything__trigger-long-running-operation'
    const abort = new AbortController()
    const seen: (number | undefined)[] = []
    registry.on('progress', ({ completed }) => {
      seen.push(completed)
      if (seen.length === 2) abort.abort()
    })
    const args = { duration: 600, steps: 6_000 }
    const result = await registry.execute({ callId: 'long', name, arguments: args, signal: abort.signal })
    expect(result).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(seen).toEqual([1, 2])
  })

  test('a server’s refusal is a failure with its own words', async () => {
    const result = await run('files__read_text_file', { path: '/etc/passwd' })
    expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
    expect(result.isError && result.error.message).toMatch(/outside allowed directories/)
  })

  test('wrong arguments do not get as far as the server', async () => {
    const result = await run('files__read_text_file', { path: 7 })
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
  })

  test('files are read and written', async () => {
    const path = join(folder, 'b.txt')
    await success('files__write_file', { path, content: 'hello' })
    expect(await readFile(path, 'utf8')).toBe('hello')
    expect((await success('files__read_text_file', { path })).value).toEqual({ content: 'hello' })
  })

  test('what others wrote works as well', async () => {
    expect((await success('calc__math', { action: 'eval', expression: '6*7' })).value).toBe('42')
    expect((await success('time__days_in_month', { date: '2024-02-01' })).value).toContain('29')
    const thought = await success('think__sequentialthinking_tools', {
      thought: 'One step is enough.',
      next_thought_needed: false,
      thought_number: 1,
      total_thoughts: 1,
      available_mcp_tools: [],
    })
    expect(JSON.parse(thought.value as string)).toMatchObject({ thought_number: 1 })
  })
})

test('a program uses the tools of all of them', async () => {
  const code = `
    const text = (await tools.files__read_text_file({ path: ${JSON.stringify(join(folder, 'a.txt'))} })).content
    const lines = text.trim().split('\\n')
    await tools.memory__create_entities({
      entities: lines.map(name => ({ name, entityType: 'number', observations: [] })),
    })
    const graph = await tools.memory__read_graph({})
    const [sum, days, weather, thought] = await Promise.all([
      tools.calc__math({ action: 'eval', expression: lines.length + '+1' }),
      tools.time__days_in_month({ date: '2023-02-01' }),
      tools['everything__get-structured-content']({ location: 'Chicago' }),
      tools.think__sequentialthinking_tools({
        thought: 'Done.', next_thought_needed: false, thought_number: 1, total_thoughts: 1, available_mcp_tools: [],
      }),
    ])
    const refused = await tools.files__read_text_file({ path: '/etc/passwd' }).catch(error => error.code)
    return { names: graph.entities.map(entity => entity.name), sum, days, weather: typeof weather.temperature, thought: JSON.parse(thought).thought_number, refused }`
  const scope = registry.createScope({ id: 'program', mode: 'code' })
  const result = await scope.execute({
    callId: 'program',
    name: 'run_code',
    arguments: { code, description: 'Use six servers at once' },
  })
  expect(result.isError ? result.error : result.value).toEqual({
    logs: [],
    result: {
      names: ['one', 'two', 'three'],
      sum: '4',
      days: expect.stringContaining('28'),
      weather: 'number',
      thought: 1,
      refused: 'TOOL_FAILED',
    },
  })
})

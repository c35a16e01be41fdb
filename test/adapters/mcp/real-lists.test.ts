import { readFileSync } from 'node:fs'
import { createToolRegistry } from 'toolgate'
import { mcpTools } from 'toolgate/mcp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CLIENTS, listedTool, NEVER, serverOf } from './scripted-server.js'

const github: { tools: { name: string; inputSchema: object }[] } = JSON.parse(
  readFileSync(new URL('../../data/github-tools.json', import.meta.url), 'utf8'),
)

describe.each(Object.entries(CLIENTS))('with a client of %s', (_version, connect) => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('all 59 tools of a large real server are there, whole and checked', async () => {
    const registry = createToolRegistry()
    const { problems } = await mcpTools(await connect(serverOf(github.tools)), { scope: registry })
    expect(problems).toEqual([])
    expect(registry.knownNames()).toEqual(github.tools.map(tool => tool.name))
    for (const { name, inputSchema } of github.tools)
      expect(registry.get(name)?.parameters).toEqual(inputSchema)
  })

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
  ])('a schema that says %s is read by that draft, for arguments and for values', async $schema => {
    const draft7 = $schema.includes('draft-07')
    // Two places of a tuple are written in two ways.
    const pair = draft7
      ? { type: 'array', items: [{ type: 'string' }, { type: 'number' }] }
      : { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }
    const schema = { $schema, type: 'object', properties: { pair }, required: ['pair'] }
    const answers = [{ pair: ['a', 1] }, { pair: ['a', 'b'] }]
    const server = serverOf([listedTool('pair', { inputSchema: schema, outputSchema: schema })], () => ({
      structuredContent: answers.shift(),
    }))
    const registry = createToolRegistry()
    const { problems } = await mcpTools(await connect(server), { scope: registry })
    expect(problems).toEqual([])
    const run = async (pairGiven: unknown): Promise<unknown> => {
      const result = await registry.execute({ callId: '1', name: 'pair', arguments: { pair: pairGiven } })
      return result.isError ? result.error.code : result.value
    }
    expect(await run([1, 'a'])).toBe('INVALID_ARGS')
    expect(server.count('tools/call')).toBe(0)
    expect(await run(['a', 1])).toEqual({ pair: ['a', 1] })
    expect(await run(['a', 1])).toBe('INVALID_TOOL_OUTPUT')
  })

  test('a tool that reports before each silence is over may take long, and not for ever', async () => {
    let report = (): void => {}
    const server = serverOf([listedTool('work')], ({ _meta }, exchange) => {
      let progress = 0
      report = () =>
        exchange.notify('notifications/progress', {
          progressToken: _meta.progressToken,
          progress: ++progress,
        })
      return NEVER
    })
    const registry = createToolRegistry()
    await mcpTools(await connect(server), { scope: registry, timeoutMs: 50, maxTimeoutMs: 1_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    let ended = false
    const result = registry.execute({ callId: '1', name: 'work' }).finally(() => {
      ended = true
    })
    await server.next('tools/call')
    for (let ms = 0; ms < 980; ms += 20) {
      await vi.advanceTimersByTimeAsync(20)
      expect(ended).toBe(false)
      report()
    }
    await vi.advanceTimersByTimeAsync(30)
    expect(await result).toMatchObject({ isError: true, error: { code: 'TOOL_TIMEOUT' } })
  })
})

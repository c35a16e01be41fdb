import { dynamicTool, generateText, jsonSchema, stepCountIs, type ToolSet, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createToolRegistry } from 'toolgate'
import { aiSdkMiddleware, aiSdkTools, fromAiSdkTools } from 'toolgate/ai-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countedTool, gate, settle } from '../../support/tools.js'
import { agentRegistry, PIXEL } from '../tools.js'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const call = (toolCallId: string, toolName: string, input: string): object => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
})
const step = (content: object[]): any => ({
  content,
  finishReason: {
    unified: content.some((part: any) => part.type === 'tool-call') ? 'tool-calls' : 'stop',
    raw: undefined,
  },
  usage,
  warnings: [],
})
const model = (...steps: object[][]): MockLanguageModelV4 =>
  new MockLanguageModelV4({ doGenerate: steps.map(step) })
const done = [{ type: 'text', text: 'Done.' }]

const outputsOf = (mock: MockLanguageModelV4, at: number): unknown[] => {
  const message = mock.doGenerateCalls[at]?.prompt.at(-1) as any
  return message.content.map((part: any) => part.output)
}

describe("the AI SDK's generateText", () => {
  it('answers a call, a failure, an image and a denial', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const tools = aiSdkTools(registry)
    const name = Object.keys(tools).find(key => key.startsWith('files_read')) as string
    const mock = model(
      [
        call('a', name, '{"path":"a.md"}'),
        call('b', 'broken', '{}'),
        call('c', 'screenshot', '{}'),
        call('d', 'remove', '{}'),
      ],
      done,
    )
    const result = await generateText({ model: mock, prompt: 'Go', tools, stopWhen: stepCountIs(3) })
    expect(result.text).toBe('Done.')
    expect([read, broken, shot, remove].map(each => each.runs())).toEqual([1, 1, 1, 0])
    expect(outputsOf(mock, 1)).toMatchObject([
      { type: 'text', value: 'text of a.md' },
      { type: 'error-text', value: expect.stringContaining('the disk is gone') },
      {
        type: 'content',
        value: [
          { type: 'text', text: 'the window' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
        ],
      },
      { type: 'execution-denied', reason: expect.stringContaining('nothing is removed') },
    ])
    expect(result.steps[0]?.toolResults.map(each => (each.output as any).callId)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
    const sent = mock.doGenerateCalls[0]?.tools as any[]
    expect(sent.find(each => each.name === name).inputSchema).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, encoding: { type: 'string' } },
      required: ['path'],
    })
  })

  it('fails a call that the schema refuses as the pipeline does, and does not run it', async () => {
    const { registry, read } = agentRegistry()
    const tools = aiSdkTools(registry)
    const name = Object.keys(tools).find(key => key.startsWith('files_read')) as string
    const mock = model([call('a', name, '{"path":1}')], done)
    await generateText({ model: mock, prompt: 'Go', tools, stopWhen: stepCountIs(3) })
    expect(outputsOf(mock, 1)).toMatchObject([
      { type: 'error-text', value: expect.stringContaining('path must be a string') },
    ])
    expect(read.runs()).toBe(0)
  })

  it('runs exclusive calls alone and lets safe ones overlap, in the order of the model', async () => {
    const order: string[] = []
    const gates = { s1: gate(), s2: gate(), x: gate() }
    const make = (name: keyof typeof gates, safe: boolean) =>
      countedTool(
        name,
        async () => {
          order.push(`${name} starts`)
          await gates[name].promise
          order.push(`${name} ends`)
          return name
        },
        { isConcurrencySafe: () => safe },
      )
    const registry = createToolRegistry({ tools: [make('s1', true), make('s2', true), make('x', false)] })
    const mock = model([call('a', 's1', '{}'), call('b', 's2', '{}'), call('c', 'x', '{}')], done)
    const run = generateText({
      model: mock,
      prompt: 'Go',
      tools: aiSdkTools(registry),
      stopWhen: stepCountIs(3),
    })
    while (order.length < 2) await settle()
    gates.s2.open()
    gates.s1.open()
    gates.x.open()
    await run
    expect(order.slice(0, 2)).toEqual(['s1 starts', 's2 starts'])
    expect(order.slice(4)).toEqual(['x starts', 'x ends'])
  })

  it('runs calls that touch the same thing one after the other', async () => {
    let running = 0
    let most = 0
    const write = countedTool(
      'write',
      async () => {
        most = Math.max(most, ++running)
        await settle()
        running--
        return 'ok'
      },
      { resourceKeys: ({ path }: { path: string }) => [path] },
    )
    const registry = createToolRegistry({ tools: [write] })
    const tools = aiSdkTools(registry)
    const at = (toolCallId: string, path: string) => tools.write?.execute({ path }, { toolCallId })
    await Promise.all([at('a', 'x'), at('b', 'x')])
    expect(most).toBe(1)
    await Promise.all([at('c', 'x'), at('d', 'y')])
    expect([most, write.runs()]).toEqual([2, 4])
  })

  it('ends calls of a scope that was disposed', async () => {
    const { registry, read } = agentRegistry()
    const tools = aiSdkTools(registry)
    await registry.dispose()
    const result = await Object.values(tools)[1]?.execute({ path: 'a' }, { toolCallId: 'a' })
    expect(result).toMatchObject({ isError: true, error: { code: 'DISPOSED' } })
    expect(read.runs()).toBe(0)
  })

  it('keeps open objects open, wraps what is no object, and says remarks', async () => {
    const map = countedTool('map', args => JSON.stringify(args), {
      parameters: {
        type: 'object',
        properties: { headers: { type: 'object', additionalProperties: { type: 'string' } } },
      },
    })
    const text = countedTool(
      'text',
      (args, context) => {
        context.deferContext({ source: 'clock', content: [{ type: 'text', text: 'late' }] })
        return `got ${args}`
      },
      { parameters: { type: 'string' } },
    )
    const registry = createToolRegistry({ tools: [map, text] })
    const mock = model([call('a', 'map', '{"headers":{"a":"b"}}'), call('b', 'text', '{"value":"x"}')], done)
    await generateText({ model: mock, prompt: 'Go', tools: aiSdkTools(registry), stopWhen: stepCountIs(3) })
    const [first, second] = mock.doGenerateCalls[0]!.tools as any[]
    expect(first.inputSchema.properties.headers.additionalProperties).toEqual({ type: 'string' })
    expect(second.inputSchema).toMatchObject({
      properties: { value: { type: 'string' } },
      required: ['value'],
    })
    expect(outputsOf(mock, 1)).toEqual([
      { type: 'text', value: '{"headers":{"a":"b"}}' },
      { type: 'text', value: 'got x\n[clock] late' },
    ])
  })
})

describe('the middleware', () => {
  it('adds the sections of Code Mode behind the system prompt and leaves out tools that are gone', async () => {
    const { registry } = agentRegistry()
    const scope = registry.createScope({ id: 'agent' })
    const tools = aiSdkTools(scope)
    const mock = model(done, done)
    const present = () => {
      const presented = scope.present()
      return {
        ...presented,
        sections: [
          { id: 'b', order: 2, text: 'second' },
          { id: 'a', order: 1, text: 'first' },
        ],
      }
    }
    const wrapped = wrapLanguageModel({ model: mock, middleware: aiSdkMiddleware({ present }) })
    const other = {
      mine: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 1 }),
    }
    const request = () =>
      generateText({ model: wrapped, instructions: 'Be brief.', prompt: 'Go', tools: { ...tools, ...other } })
    await request()
    scope.restrict({ deny: ['remove'] })
    await request()
    const names = (at: number) => mock.doGenerateCalls[at]?.tools?.map(({ name }) => name)
    expect(mock.doGenerateCalls[0]?.prompt.map(({ role, content }) => [role, content]).slice(0, 3)).toEqual([
      ['system', 'Be brief.'],
      ['system', 'first'],
      ['system', 'second'],
    ])
    expect(names(0)).toContain('remove')
    expect(names(1)).not.toContain('remove')
    expect(names(1)).toContain('mine')
  })
})

describe('tools that were made for the AI SDK', () => {
  const made: ToolSet = {
    add: tool({
      description: 'Adds.',
      inputSchema: z.object({ a: z.number(), b: z.number().default(2) }),
      execute: async ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
    }),
    show: dynamicTool({
      description: 'Shows.',
      inputSchema: jsonSchema({ type: 'object', properties: {} }),
      execute: async () => 'shown',
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'text', text: 'a picture' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
        ],
      }),
    }),
    count: dynamicTool({
      description: 'Counts.',
      inputSchema: jsonSchema({ type: 'object' }),
      async *execute() {
        yield 1
        yield 2
      },
    }),
    no: dynamicTool({
      description: 'Refuses.',
      inputSchema: jsonSchema({ type: 'object' }),
      execute: async () => 'x',
      toModelOutput: () => ({ type: 'error-text', value: 'It did not work' }),
    }),
  }

  it('pass the pipeline, with their own schemas and outputs', async () => {
    const registry = createToolRegistry({
      tools: await fromAiSdkTools(made as Parameters<typeof fromAiSdkTools>[0]),
      stages: [
        {
          guard: ({ name, arguments: args }) =>
            name === 'add' && (args as any).a === 13 ? 'not 13' : undefined,
        },
      ],
    })
    const run = (name: string, args: unknown) => registry.execute({ callId: 'a', name, arguments: args })
    expect(registry.get('add')?.parameters).toMatchObject({
      properties: { a: { type: 'number' } },
      required: ['a'],
    })
    expect(await run('add', { a: 1 })).toMatchObject({ value: { sum: 3 }, content: [{ text: '{"sum":3}' }] })
    expect(await run('add', { a: 'x' })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
    expect(await run('add', { a: 13 })).toMatchObject({ error: { code: 'GUARD_DENIED' } })
    expect(await run('show', {})).toMatchObject({
      content: [{ text: 'a picture' }, { type: 'image', mimeType: 'image/png', data: PIXEL }],
    })
    expect(await run('count', {})).toMatchObject({ value: 2 })
    expect(await run('no', {})).toMatchObject({ error: { code: 'TOOL_FAILED', message: 'It did not work' } })
  })

  it('are refused without a body, or with a schema that prints none', async () => {
    await expect(fromAiSdkTools({ a: { description: 'A' } })).rejects.toThrow('execute')
    const mute = { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } }
    await expect(fromAiSdkTools({ a: { inputSchema: mute, execute: () => 1 } })).rejects.toThrow(
      'JSON Schema',
    )
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { MockLanguageModelV4 } from 'ai/test'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { aiSdkAgent } from '../../examples/ai-sdk.js'
import { messagesLoop } from '../../examples/anthropic-loop.js'
import { generateLoop } from '../../examples/google-loop.js'
import { handler } from '../../examples/lambda.js'
import { chatLoop, responsesLoop } from '../../examples/openai-loop.js'
import worker from '../../examples/worker.js'
import { loopback } from '../adapters/loopback.js'
import { agentRegistry } from '../adapters/tools.js'

const NAMES = ['broken', 'screenshot', 'remove'] as const
const question = 'Go on'
const model = 'fake'

/** What every provider must have been told in the second request, in its own words. */
function expectTold(body: unknown): void {
  const text = JSON.stringify(body)
  expect(text).toContain('text of a.md')
  expect(text).toContain('the disk is gone')
  expect(text).toContain('iVBORw0KGgo')
  expect(text).toContain('nothing is removed here')
}

const runs = ({ read, broken, shot, remove }: ReturnType<typeof agentRegistry>): number[] =>
  [read, broken, shot, remove].map(tool => tool.runs())

describe('the loop of each provider round-trips a call, a failure, an image and a denial', () => {
  it('over Chat Completions', async () => {
    const agent = agentRegistry()
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    const { openAiChat } = await import('toolgate/openai')
    const calls = [
      call('a', openAiChat(agent.registry).wireName('files.read'), '{"path":"a.md"}'),
      ...NAMES.map(name => call(name, name, '{}')),
    ]
    const reply = (message: object) => ({
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } },
      ],
    })
    const server = await loopback([reply({ tool_calls: calls }), reply({ content: 'Done.' })])
    const client = new OpenAI({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
    expect(await chatLoop({ client, scope: agent.registry, question, model })).toBe('Done.')
    expect(runs(agent)).toEqual([1, 1, 1, 0])
    expectTold(server.requests[1]?.body)
  })

  it('over Responses', async () => {
    const agent = agentRegistry()
    const { openAiResponses } = await import('toolgate/openai')
    const name = openAiResponses(agent.registry).wireName('files.read')
    const call = (call_id: string, called: string, args: string) => ({
      type: 'function_call',
      call_id,
      name: called,
      arguments: args,
    })
    const words = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    }
    const server = await loopback([
      {
        object: 'response',
        output: [call('a', name, '{"path":"a.md"}'), ...NAMES.map(each => call(each, each, '{}'))],
      },
      { object: 'response', output: [words] },
    ])
    const client = new OpenAI({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
    expect(await responsesLoop({ client, scope: agent.registry, question, model })).toBe('Done.')
    expect(runs(agent)).toEqual([1, 1, 1, 0])
    expectTold(server.requests[1]?.body)
  })

  it('over Messages', async () => {
    const agent = agentRegistry()
    const { anthropicMessages } = await import('toolgate/anthropic')
    const name = anthropicMessages(agent.registry).wireName('files.read')
    const use = (id: string, called: string, input: object) => ({ type: 'tool_use', id, name: called, input })
    const message = (content: object[], stop_reason: string) => ({
      type: 'message',
      role: 'assistant',
      content,
      stop_reason,
    })
    const server = await loopback([
      message([use('a', name, { path: 'a.md' }), ...NAMES.map(each => use(each, each, {}))], 'tool_use'),
      message([{ type: 'text', text: 'Done.' }], 'end_turn'),
    ])
    const client = new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
    expect(await messagesLoop({ client, scope: agent.registry, question, model })).toBe('Done.')
    expect(runs(agent)).toEqual([1, 1, 1, 0])
    expectTold(server.requests[1]?.body)
  })

  it('over generateContent', async () => {
    const agent = agentRegistry()
    const call = (name: string, args: object) => ({ functionCall: { name, args } })
    const chunk = (parts: object[]) => ({ candidates: [{ content: { role: 'model', parts } }] })
    const server = await loopback([
      { events: [chunk([call('files.read', { path: 'a.md' })]), chunk(NAMES.map(name => call(name, {})))] },
      { events: [chunk([{ text: 'Do' }]), chunk([{ text: 'ne.' }])] },
    ])
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.origin } })
    expect(await generateLoop({ client, scope: agent.registry, question, model })).toBe('Done.')
    expect(runs(agent)).toEqual([1, 1, 1, 0])
    expectTold(server.requests[1]?.body)
  })

  it('over the AI SDK', async () => {
    const agent = agentRegistry()
    const { aiSdkTools } = await import('toolgate/ai-sdk')
    const name = Object.keys(aiSdkTools(agent.registry)).find(each => each.startsWith('files_read')) as string
    const call = (toolCallId: string, toolName: string, input: string) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
    })
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    const step = (content: object[], unified: string) => ({
      content,
      finishReason: { unified, raw: undefined },
      usage,
      warnings: [],
    })
    const mock = new MockLanguageModelV4({
      doGenerate: [
        step(
          [call('a', name, '{"path":"a.md"}'), ...NAMES.map(each => call(each, each, '{}'))],
          'tool-calls',
        ),
        step([{ type: 'text', text: 'Done.' }], 'stop'),
      ] as never,
    })
    const { text, results } = await aiSdkAgent({ model: mock, scope: agent.registry, question })
    expect(text).toBe('Done.')
    expect(runs(agent)).toEqual([1, 1, 1, 0])
    expect(results.map(result => (result.isError ? result.error.code : 'ok'))).toEqual([
      'ok',
      'TOOL_FAILED',
      'ok',
      'DENIED',
    ])
    expectTold(mock.doGenerateCalls[1]?.prompt)
  })
})

describe('the example of a cloud function', () => {
  const context = { getRemainingTimeInMillis: () => 5_000 }
  const body = ({ body }: { body: string }) => JSON.parse(body)

  it('answers a message with its results, and without one with its tools', async () => {
    const { tools } = body(await handler({}, context))
    const input = { amounts: [1, 2.5] }
    const message = {
      content: [{ type: 'tool_use', id: 'a', name: tools[0].name, input }],
      stop_reason: 'tool_use',
    }
    const answer = await handler({ body: JSON.stringify(message) }, context)
    expect(answer.statusCode).toBe(200)
    expect(body(answer).messages[1]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: '3.5' }],
    })
  })

  it('refuses what is no message, and runs nothing when no time is left', async () => {
    expect((await handler({ body: '{' }, context)).statusCode).toBe(400)
    const { tools } = body(await handler({}, context))
    const message = { content: [{ type: 'tool_use', id: 'a', name: tools[0].name, input: { amounts: [] } }] }
    const late = { getRemainingTimeInMillis: () => 0 }
    const answer = await handler({ body: JSON.stringify(message) }, late)
    expect(body(answer).messages[1].content).toMatchObject([
      { tool_use_id: 'a', is_error: true, content: expect.stringContaining('aborted') },
    ])
  })
})

describe('the example of a worker', () => {
  const post = (body: string): Promise<Response> =>
    worker.fetch(new Request('http://localhost/', { method: 'POST', body }))

  it('answers a completion with its results, and any other request with its tools', async () => {
    const { tools } = (await (await worker.fetch(new Request('http://localhost/'))).json()) as any
    const call = {
      id: 'a',
      type: 'function',
      function: { name: tools[0].function.name, arguments: '{"text":"abc","upper":null}' },
    }
    const answer = await post(
      JSON.stringify({ choices: [{ message: { role: 'assistant', tool_calls: [call] } }] }),
    )
    expect(((await answer.json()) as any).messages[1]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'cba',
    })
    expect((await post('{')).status).toBe(400)
  })
})

describe('the examples of providers', () => {
  it('are short', () => {
    const folder = new URL('../../examples/', import.meta.url)
    const short = /(-loop|ai-sdk|lambda|worker|deno-script)\.ts$/
    for (const file of readdirSync(folder).filter(name => short.test(name) && name !== 'agent-loop.ts'))
      expect({ file, lines: readFileSync(new URL(file, folder), 'utf8').split('\n').length }).toEqual({
        file,
        lines: expect.toSatisfy((lines: number) => lines <= 60),
      })
  })
})

import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ToolExecutionInput, ToolExecutionResult, ToolRegistry } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'
import { collectGoogleStream, googleContent } from 'toolgate/google'
import { collectChatStream, openAiChat, openAiResponses } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { loopback, type Reply } from './loopback.js'
import { agentRegistry, PIXEL } from './tools.js'

type Json = any
interface Asked {
  readonly id: string
  readonly name: string
  readonly args: string
}
interface Turn {
  readonly calls: readonly ToolExecutionInput[]
  readonly reply: readonly object[]
  results(results: readonly ToolExecutionResult[]): readonly object[]
}
interface Provider {
  wireName(registry: ToolRegistry, name: string): string
  /** The streams of an answer with calls and of a last one, as the provider sends them. */
  script(asked: readonly Asked[]): readonly Reply[]
  /** Streams one request through the SDK. */
  ask(origin: string, registry: ToolRegistry, conversation: readonly object[]): Promise<Turn>
  /** What the request says of each call: its words, and all that it shows. */
  told(body: Json): { readonly [id: string]: { readonly isError?: boolean; readonly said: string } }
}

/** The letters of a text in three pieces, one of them empty. */
const pieces = (text: string): string[] => [text.slice(0, 3), '', text.slice(3)]
const said = (value: unknown): string => JSON.stringify(value)

const chat: Provider = {
  wireName: (registry, name) => openAiChat(registry).wireName(name),
  script(asked) {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const begun = asked.map(({ id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    )
    // The pieces of all calls come mixed.
    const args = [0, 1, 2].flatMap(at =>
      asked.map(({ args }, index) =>
        chunk({ tool_calls: [{ index, function: { arguments: pieces(args)[at] } }] }),
      ),
    )
    const first = chunk({ role: 'assistant', content: null })
    return [
      { events: [first, ...begun, ...args, chunk({}, 'tool_calls'), '[DONE]'] },
      { events: [first, chunk({ content: 'Done.' }), chunk({}, 'stop'), '[DONE]'] },
    ]
  },
  async ask(origin, registry, messages) {
    const wire = openAiChat(registry)
    const openai = new OpenAI({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
    const stream = await openai.chat.completions.create({
      model: 'fake',
      messages: messages as never,
      tools: wire.tools(),
      stream: true,
    })
    return wire.turn(await collectChatStream(stream))
  },
  told({ messages }) {
    const shown = said(messages.at(-1))
    return Object.fromEntries(
      messages
        .filter(({ role }: Json) => role === 'tool')
        .map((each: Json) => [
          each.tool_call_id,
          { said: said(each) + (each.tool_call_id === 'c' ? shown : '') },
        ]),
    )
  },
}

const responses: Provider = {
  wireName: (registry, name) => openAiResponses(registry).wireName(name),
  script(asked) {
    const whole = (status: string, output: object[]): object => ({
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'fake',
      status,
      output,
    })
    const events = (output: object[]): Reply => {
      const items = output.flatMap((item: Json, output_index) => [
        {
          type: 'response.output_item.added',
          output_index,
          item: { ...item, ...(item.arguments && { arguments: '' }) },
        },
        ...(item.arguments
          ? pieces(item.arguments).map(delta => ({
              type: 'response.function_call_arguments.delta',
              item_id: item.id,
              output_index,
              delta,
            }))
          : []),
        { type: 'response.output_item.done', output_index, item },
      ])
      const all = [
        { type: 'response.created', response: whole('in_progress', []) },
        ...items,
        { type: 'response.completed', response: whole('completed', output) },
      ]
      return { named: true, events: all.map((event, sequence_number) => ({ ...event, sequence_number })) }
    }
    const calls = asked.map(({ id, name, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: args,
      status: 'completed',
    }))
    return [
      events(calls),
      events([{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [] }]),
    ]
  },
  async ask(origin, registry, input) {
    const wire = openAiResponses(registry)
    const openai = new OpenAI({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
    const stream = openai.responses.stream({ model: 'fake', input: input as never, tools: wire.tools() })
    return wire.turn(await stream.finalResponse())
  },
  told: ({ input }) =>
    Object.fromEntries(
      input
        .filter(({ type }: Json) => type === 'function_call_output')
        .map((each: Json) => [each.call_id, { said: said(each.output) }]),
    ),
}

const messages: Provider = {
  wireName: (registry, name) => anthropicMessages(registry).wireName(name),
  script(asked) {
    const stream = (blocks: object[], stop_reason: string): Reply => ({
      named: true,
      events: [
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'fake',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        },
        ...blocks,
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ],
    })
    const blocks = asked.flatMap(({ id, name, args }, index) => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
      ...pieces(args).map(partial_json => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index },
    ])
    const words = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'content_block_stop', index: 0 },
    ]
    return [stream(blocks, 'tool_use'), stream(words, 'end_turn')]
  },
  async ask(origin, registry, conversation) {
    const wire = anthropicMessages(registry)
    const anthropic = new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
    const stream = anthropic.messages.stream({
      model: 'fake',
      max_tokens: 9,
      messages: conversation as never,
      tools: wire.tools(),
    })
    return wire.turn(await stream.finalMessage())
  },
  told: body =>
    Object.fromEntries(
      body.messages
        .at(-1)
        .content.map((each: Json) => [
          each.tool_use_id,
          { isError: each.is_error === true, said: said(each.content) },
        ]),
    ),
}

const generate: Provider = {
  wireName: (registry, name) => googleContent(registry).wireName(name),
  script(asked) {
    const chunk = (parts: object[], finishReason?: string): object => ({
      candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    })
    return [
      {
        events: [
          ...asked.map(({ id, name, args }) =>
            chunk([{ functionCall: { id, name, args: JSON.parse(args) } }]),
          ),
          chunk([{ text: '' }], 'STOP'),
        ],
      },
      { events: [chunk([{ text: 'Done.' }], 'STOP')] },
    ]
  },
  async ask(origin, registry, contents) {
    const wire = googleContent(registry)
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: origin } })
    const config = { tools: wire.tools() }
    return wire.turn(
      await collectGoogleStream(
        await google.models.generateContentStream({ model: 'fake', contents: contents as Content[], config }),
      ),
    )
  },
  told({ contents }) {
    const { parts } = contents.at(-1)
    const shown = said(parts.filter(({ functionResponse }: Json) => functionResponse === undefined))
    return Object.fromEntries(
      parts
        .filter(({ functionResponse }: Json) => functionResponse !== undefined)
        .map(({ functionResponse: { id, response } }: Json) => [
          id,
          { isError: 'error' in response, said: said(response) + (id === 'c' ? shown : '') },
        ]),
    )
  },
}

describe.each(
  Object.entries({
    'Chat Completions': chat,
    Responses: responses,
    Messages: messages,
    generateContent: generate,
  }),
)('a streamed answer over %s', (_name, provider) => {
  it('round-trips a call, a failure, an image and a denial through the SDK', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const asked = [
      { id: 'a', name: provider.wireName(registry, 'files.read'), args: '{"path":"a.md"}' },
      { id: 'b', name: 'broken', args: '{}' },
      { id: 'c', name: 'screenshot', args: '{}' },
      { id: 'd', name: 'remove', args: '{}' },
    ]
    const server = await loopback(provider.script(asked))
    const conversation: object[] = [
      _name === 'generateContent'
        ? { role: 'user', parts: [{ text: 'Go' }] }
        : { role: 'user', content: 'Go' },
    ]
    const turn = await provider.ask(server.origin, registry, conversation)
    expect(turn.calls.map(({ name, callId }) => [callId, name])).toEqual([
      ['a', 'files.read'],
      ['b', 'broken'],
      ['c', 'screenshot'],
      ['d', 'remove'],
    ])
    conversation.push(...turn.reply, ...turn.results(await registry.executeAll(turn.calls)))
    const last = await provider.ask(server.origin, registry, conversation)
    expect(last.calls).toEqual([])
    expect([read, broken, shot, remove].map(tool => tool.runs())).toEqual([1, 1, 1, 0])

    const told = provider.told(server.requests[1]?.body)
    expect(Object.keys(told)).toEqual(['a', 'b', 'c', 'd'])
    expect(told.a?.said).toContain('text of a.md')
    expect(told.b?.said).toContain('the disk is gone')
    expect(told.c?.said).toContain('the window')
    expect(told.c?.said).toContain(PIXEL)
    expect(told.d?.said).toContain('nothing is removed here')
    for (const [id, isError] of [
      ['a', false],
      ['b', true],
      ['c', false],
      ['d', true],
    ] as const) {
      expect(told[id]?.isError ?? isError).toBe(isError)
      expect(told[id]?.said.includes('Error:')).toBe(isError)
      if (id !== 'c') expect(told[id]?.said).not.toContain(PIXEL)
    }
  })
})

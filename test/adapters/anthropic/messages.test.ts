import Anthropic from '@anthropic-ai/sdk'
import { createToolRegistry } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'
import { agentRegistry, PIXEL } from '../tools.js'

const use = (id: string, name: string, input: unknown): object => ({ type: 'tool_use', id, name, input })
const message = (content: object[], stop_reason = 'tool_use'): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'fake',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

async function client(script: readonly object[]) {
  const server = await loopback(script)
  return { server, anthropic: new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 }) }
}

describe("Anthropic's Messages, through its own SDK", () => {
  it('answer a call, a failure, an image and a denial in one message, and send the thinking back', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const wire = anthropicMessages(registry)
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
    const { server, anthropic } = await client([
      message([
        thinking,
        { type: 'text', text: 'Let me see.' },
        use('a', wire.wireName('files.read'), { path: 'a.md' }),
        use('b', 'broken', {}),
        use('c', 'screenshot', {}),
        use('d', 'remove', {}),
      ]),
      message([{ type: 'text', text: 'Done.' }], 'end_turn'),
    ])
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go on' }]
    const request = (): Promise<Anthropic.Message> =>
      anthropic.messages.create({ model: 'fake', max_tokens: 100, messages, tools: wire.tools() })
    const first = await request()
    const turn = wire.turn(first)
    messages.push(...turn.reply, ...turn.results(await registry.executeAll(turn.calls)))
    expect(wire.turn(await request()).calls).toEqual([])

    expect([read, broken, shot, remove].map(tool => tool.runs())).toEqual([1, 1, 1, 0])
    const sent = server.requests[1]?.body.messages
    expect(sent[1]).toEqual({ role: 'assistant', content: first.content })
    expect(sent.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'text of a.md' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            is_error: true,
            content: expect.stringContaining('disk is gone'),
          },
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [
              { type: 'text', text: 'the window' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'd',
            is_error: true,
            content: expect.stringContaining('nothing is removed'),
          },
        ],
      },
    ])
    expect(server.requests[0]?.body.tools.map((tool: any) => [tool.input_schema.type, tool.strict])).toEqual(
      Array(4).fill(['object', undefined]),
    )
  })

  it('read the message that a stream adds up to, from the helper of the SDK', async () => {
    const { registry, read } = agentRegistry()
    const wire = anthropicMessages(registry)
    const { content, ...start } = message([]) as { content: object[] }
    const events = [
      { type: 'message_start', message: { ...start, content, stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: use('a', wire.wireName('files.read'), {}) },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path":' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"b.md"}' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ]
    const { anthropic } = await client([{ events, named: true }])
    const stream = anthropic.messages.stream({
      model: 'fake',
      max_tokens: 100,
      messages: [],
      tools: wire.tools(),
    })
    const turn = wire.turn(await stream.finalMessage())
    expect(turn.results(await registry.executeAll(turn.calls))).toEqual([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'text of b.md' }] },
    ])
    expect(read.runs()).toBe(1)
  })
})

describe('a message that is not as it should be', () => {
  const echo = countedTool('echo', args => JSON.stringify(args))
  const registry = createToolRegistry({ tools: [echo] })
  const wire = anthropicMessages(registry, { newCallId: () => 'made' })
  const turnOf = (answer: object) => wire.turn(answer as Parameters<typeof wire.turn>[0])

  it('does not run the call that it was cut off in, whatever its arguments are', async () => {
    const before = echo.runs()
    const turn = turnOf(message([use('a', 'echo', { n: 1 }), use('b', 'echo', { n: 2 })], 'max_tokens'))
    expect(turn.calls.map(({ callId }) => callId)).toEqual(['a'])
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      {
        content: [
          { content: '{"n":1}' },
          { is_error: true, content: expect.stringContaining('did not run') },
        ],
      },
    ])
    expect(echo.runs()).toBe(before + 1)
  })

  it('runs all calls where it was cut off in a text after them', () => {
    const turn = turnOf(message([use('a', 'echo', {}), { type: 'text', text: 'And' }], 'max_tokens'))
    expect(turn.calls.length).toBe(1)
  })

  it('gives an id to a call that has none, in the reply as well, and leaves the calls of others alone', () => {
    const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const member = { ...use('m', 'click', {}), toolset_name: 'browser' }
    const turn = turnOf(message([server, member, { ...use('', 'echo', {}), id: null }]))
    expect(turn.calls).toEqual([{ callId: 'made', name: 'echo', arguments: {} }])
    expect(turn.reply).toMatchObject([{ content: [server, member, { id: 'made' }] }])
  })

  it('sends nothing back for a message without content', () => {
    const turn = turnOf(message([], 'end_turn'))
    expect([turn.reply, turn.calls, turn.results([])]).toEqual([[], [], []])
  })

  it('fails a call whose arguments are text that is no JSON', async () => {
    const before = echo.runs()
    const turn = turnOf(message([use('a', 'echo', '{"n":')]))
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      { content: [{ is_error: true, content: expect.stringContaining('not JSON') }] },
    ])
    expect(echo.runs()).toBe(before)
  })
})

describe('results on Messages', () => {
  it('never hold an empty text, keep errors to text, and put media of errors and remarks after the results', async () => {
    const image = { type: 'image' as const, mimeType: 'image/png', data: PIXEL }
    const quiet = countedTool('quiet', () => '')
    const blank = countedTool('blank', () => [{ type: 'text', text: '' }, image])
    const fails = countedTool(
      'fails',
      (_args, context) => {
        context.deferContext({ source: 'clock', content: [{ type: 'text', text: 'It is late.' }] })
        throw new Error('no')
      },
      { finalizeContent: () => [{ type: 'text', text: 'It broke.' }, image] },
    )
    const paper = countedTool('paper', () => [
      { type: 'resource', resource: { uri: 'file:///d.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' } },
      { type: 'image', mimeType: 'image/tiff', data: 'SUkqAA==' },
    ])
    const registry = createToolRegistry({ tools: [quiet, blank, fails, paper] })
    const wire = anthropicMessages(registry)
    const names = ['quiet', 'blank', 'fails', 'paper']
    const turn = wire.turn(message(names.map(name => use(name, name, {}))) as Parameters<typeof wire.turn>[0])
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
    expect(turn.results(await registry.executeAll(turn.calls))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'quiet' },
          { type: 'tool_result', tool_use_id: 'blank', content: [picture] },
          {
            type: 'tool_result',
            tool_use_id: 'fails',
            is_error: true,
            content: 'It broke.\n[image: image/png, after the results]',
          },
          {
            type: 'tool_result',
            tool_use_id: 'paper',
            content: [
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
                title: 'd.pdf',
              },
              { type: 'text', text: '[image: image/tiff, 4 bytes, which cannot be shown here]' },
            ],
          },
          { type: 'text', text: 'The image from the call fails of fails:' },
          picture,
          { type: 'text', text: '[clock] It is late.' },
        ],
      },
    ])
  })
})

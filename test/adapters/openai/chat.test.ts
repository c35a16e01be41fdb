import OpenAI from 'openai'
import { createToolRegistry } from 'toolgate'
import { openAiChat } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'
import { agentRegistry, PIXEL } from '../tools.js'

const call = (id: string | undefined, name: string, args: unknown): object => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name, arguments: args },
})

const completion = (message: object, finish_reason = 'tool_calls'): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'fake',
  choices: [
    { index: 0, message: { role: 'assistant', content: null, refusal: null, ...message }, finish_reason },
  ],
})
const asking = (...calls: object[]): object => completion({ tool_calls: calls })

async function client(script: readonly object[]) {
  const server = await loopback(script)
  return { server, openai: new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 }) }
}

describe("OpenAI's Chat Completions, through its own SDK", () => {
  it('answer a call, a failure, an image and a denial, in the order of the calls', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const wire = openAiChat(registry)
    const { server, openai } = await client([
      asking(
        call('a', wire.wireName('files.read'), '{"path":"a.md","encoding":null}'),
        call('b', 'broken', '{}'),
        call('c', 'screenshot', ''),
        call('d', 'remove', '{}'),
      ),
      completion({ content: 'Done.' }, 'stop'),
    ])
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go on' }]
    const first = await openai.chat.completions.create({ model: 'fake', messages, tools: wire.tools() })
    const turn = wire.turn(first)
    messages.push(...turn.reply, ...turn.results(await registry.executeAll(turn.calls)))
    const last = await openai.chat.completions.create({ model: 'fake', messages, tools: wire.tools() })
    expect(wire.turn(last).calls).toEqual([])

    expect([read, broken, shot, remove].map(tool => tool.runs())).toEqual([1, 1, 1, 0])
    const sent = server.requests[1]?.body.messages
    expect(sent[1]).toMatchObject({
      role: 'assistant',
      tool_calls: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }],
    })
    expect(sent.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'text of a.md' },
      { role: 'tool', tool_call_id: 'b', content: expect.stringContaining('the disk is gone') },
      {
        role: 'tool',
        tool_call_id: 'c',
        content: 'the window\n[image: image/png, in the message after the results]',
      },
      { role: 'tool', tool_call_id: 'd', content: expect.stringContaining('nothing is removed here') },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The image from the call c of screenshot:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ])
    expect(server.requests[0]?.body.tools).toEqual(server.requests[1]?.body.tools)
  })

  it('read what a stream adds up to, from the helper of the SDK', async () => {
    const { registry, read } = agentRegistry()
    const wire = openAiChat(registry)
    const name = wire.wireName('files.read')
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const { openai } = await client([
      {
        events: [
          chunk({ role: 'assistant', content: null }),
          chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name, arguments: '' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '"b.md","encoding":null}' } }] }),
          chunk({}, 'tool_calls'),
          '[DONE]',
        ],
      },
    ])
    const stream = openai.chat.completions.stream({ model: 'fake', messages: [], tools: wire.tools() })
    const turn = wire.turn(await stream.finalChatCompletion())
    expect(turn.results(await registry.executeAll(turn.calls))).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'text of b.md' },
    ])
    expect(read.runs()).toBe(1)
  })
})

describe('a Chat Completions answer that is not as it should be', () => {
  const echo = countedTool('echo', args => JSON.stringify(args))
  const registry = createToolRegistry({ tools: [echo] })
  const wire = openAiChat(registry, { strict: false, newCallId: () => `made-${++made}` })
  let made = 0

  async function results(answer: object): Promise<unknown[]> {
    const turn = wire.turn(answer as Parameters<typeof wire.turn>[0])
    return turn.results(await registry.executeAll(turn.calls))
  }

  it('fails a call whose arguments are no JSON, and does not run it', async () => {
    const before = echo.runs()
    expect(await results(asking(call('a', 'echo', '{"a":')))).toMatchObject([
      { tool_call_id: 'a', content: expect.stringContaining('not JSON') },
    ])
    expect(echo.runs()).toBe(before)
  })

  it('does not run the call that the answer was cut off in, though its empty arguments would be {}', async () => {
    const before = echo.runs()
    const cut = completion({ tool_calls: [call('a', 'echo', '{}'), call('b', 'echo', '')] }, 'length')
    const turn = wire.turn(cut as Parameters<typeof wire.turn>[0])
    expect(turn.calls.map(({ callId }) => callId)).toEqual(['a'])
    const sent = turn.results(await registry.executeAll(turn.calls))
    expect(sent).toMatchObject([
      { tool_call_id: 'a', content: '{}' },
      { tool_call_id: 'b', content: expect.stringContaining('did not run') },
    ])
    expect(echo.runs()).toBe(before + 1)
  })

  it('gives ids to calls that have none, in the reply as well', async () => {
    const answer = asking(call(undefined, 'echo', '{"n":1}'), call('', 'echo', '{"n":2}')) as Parameters<
      typeof wire.turn
    >[0]
    const turn = wire.turn(answer)
    const sent = turn.results(await registry.executeAll(turn.calls))
    expect(turn.reply).toMatchObject([{ tool_calls: [{ id: 'made-1' }, { id: 'made-2' }] }])
    expect(sent).toEqual([
      { role: 'tool', tool_call_id: 'made-1', content: '{"n":1}' },
      { role: 'tool', tool_call_id: 'made-2', content: '{"n":2}' },
    ])
  })

  it('answers two calls of one id each, the second as a duplicate', async () => {
    const before = echo.runs()
    expect(await results(asking(call('a', 'echo', '{"n":1}'), call('a', 'echo', '{"n":2}')))).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '{"n":1}' },
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('id') },
    ])
    expect(echo.runs()).toBe(before + 1)
  })

  it('answers calls that were not executed, and refuses results that belong to none', () => {
    const turn = wire.turn(asking(call('a', 'echo', '{}')) as Parameters<typeof wire.turn>[0])
    expect(turn.results([])).toMatchObject([{ content: expect.stringContaining('not executed') }])
    const foreign = { callId: 'z', name: 'echo', isError: false, value: 1, content: [] } as never
    expect(() => turn.results([foreign])).toThrow('"z"')
  })

  it('reads no calls where there are none, whatever stands in their place', () => {
    for (const answer of [
      { choices: [] },
      { choices: [{ message: null }] },
      completion({ tool_calls: null }),
    ])
      expect(wire.turn(answer as Parameters<typeof wire.turn>[0]).calls).toEqual([])
    const foreign = asking({ id: 'a', type: 'custom', custom: { name: 'sql', input: 'x' } })
    const turn = wire.turn(foreign as Parameters<typeof wire.turn>[0])
    expect(turn.calls).toEqual([])
    expect(turn.reply).toEqual([(foreign as any).choices[0].message])
  })

  it('tells of a call without a name, and of one to a tool that is not there', async () => {
    const told = await results(asking({ id: 'a', type: 'function' }, call('b', 'ecko', '{}')))
    expect(told).toMatchObject([
      { tool_call_id: 'a', content: expect.stringContaining('name') },
      { tool_call_id: 'b', content: expect.stringContaining('"echo"') },
    ])
  })

  it('passes arguments on that came as an object already', async () => {
    expect(await results(asking(call('a', 'echo', { n: 1 })))).toMatchObject([{ content: '{"n":1}' }])
  })
})

describe('results on Chat Completions', () => {
  it('put sounds, files and remarks into the message after them, and the rest in words', async () => {
    const show = countedTool('show', (_args, context) => {
      context.deferContext({ source: 'clock', content: [{ type: 'text', text: 'It is late.' }] })
      return [
        { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
        { type: 'audio', mimeType: 'audio/midi', data: 'TVRoZA==' },
        { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
        { type: 'resource_link', uri: 'file:///a.md', name: 'a.md', mimeType: 'text/markdown' },
        { type: 'resource', resource: { uri: 'file:///b.md', text: 'inside b' } },
        {
          type: 'resource',
          resource: { uri: 'file:///c/d.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' },
        },
      ]
    })
    const registry = createToolRegistry({ tools: [show] })
    const wire = openAiChat(registry)
    const turn = wire.turn(asking(call('a', 'show', '{}')) as Parameters<typeof wire.turn>[0])
    const [answer, beside] = turn.results(await registry.executeAll(turn.calls)) as any[]
    expect(answer.content.split('\n')).toEqual([
      '[audio: audio/wav, in the message after the results]',
      '[audio: audio/midi, 4 bytes, which cannot be shown here]',
      '[image: image/svg+xml, 6 bytes, which cannot be shown here]',
      '[resource: a.md, file:///a.md, text/markdown]',
      '[resource: file:///b.md]',
      'inside b',
      '[file: application/pdf, in the message after the results]',
    ])
    expect(beside.content).toEqual([
      { type: 'text', text: 'The audio from the call a of show:' },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      { type: 'text', text: 'The file from the call a of show:' },
      { type: 'file', file: { filename: 'd.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
      { type: 'text', text: '[clock] It is late.' },
    ])
  })
})

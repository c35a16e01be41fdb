import OpenAI from 'openai'
import { createToolRegistry } from 'toolgate'
import { openAiResponses } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'
import { agentRegistry, PIXEL } from '../tools.js'

const call = (call_id: string, name: string, args: string, status = 'completed'): object => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: args,
  status,
})
const response = (output: object[], rest: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'fake',
  status: 'completed',
  output,
  ...rest,
})
const message = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [] }

async function client(script: readonly object[]) {
  const server = await loopback(script)
  return { server, openai: new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 }) }
}

describe("OpenAI's Responses, through its own SDK", () => {
  it('answer a call, a failure, an image and a denial, and send the reasoning back', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const wire = openAiResponses(registry)
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' }
    const { server, openai } = await client([
      response([
        reasoning,
        call('a', wire.wireName('files.read'), '{"path":"a.md","encoding":null}'),
        call('b', 'broken', '{}'),
        call('c', 'screenshot', '{}'),
        call('d', 'remove', '{}'),
      ]),
      response([message]),
    ])
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go on' }]
    const first = await openai.responses.create({ model: 'fake', input, tools: wire.tools() })
    const turn = wire.turn(first)
    input.push(...turn.reply, ...turn.results(await registry.executeAll(turn.calls)))
    const last = await openai.responses.create({ model: 'fake', input, tools: wire.tools() })
    expect(wire.turn(last).calls).toEqual([])

    expect([read, broken, shot, remove].map(tool => tool.runs())).toEqual([1, 1, 1, 0])
    const sent = server.requests[1]?.body.input
    expect(sent.slice(1, 6)).toEqual((first.output as unknown[]).slice(0, 5))
    expect(sent.slice(6)).toEqual([
      { type: 'function_call_output', call_id: 'a', output: 'text of a.md' },
      { type: 'function_call_output', call_id: 'b', output: expect.stringContaining('the disk is gone') },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'the window' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'd', output: expect.stringContaining('nothing is removed') },
    ])
    expect(server.requests[0]?.body.tools.map((tool: any) => tool.strict)).toEqual([true, true, true, true])
  })

  it('read the response that a stream ends with', async () => {
    const { registry, read } = agentRegistry()
    const wire = openAiResponses(registry)
    const whole = response([call('a', wire.wireName('files.read'), '{"path":"b.md","encoding":null}')])
    const events = [
      { type: 'response.created', sequence_number: 0, response: response([], { status: 'in_progress' }) },
      { type: 'response.completed', sequence_number: 1, response: whole },
    ]
    const { openai } = await client([{ events, named: true }])
    const stream = await openai.responses.create({
      model: 'fake',
      input: 'Go',
      tools: wire.tools(),
      stream: true,
    })
    for await (const event of stream) {
      if (event.type !== 'response.completed') continue
      const turn = wire.turn(event.response)
      expect(turn.results(await registry.executeAll(turn.calls))).toEqual([
        { type: 'function_call_output', call_id: 'a', output: 'text of b.md' },
      ])
    }
    expect(read.runs()).toBe(1)
  })
})

describe('a response that is not as it should be', () => {
  const echo = countedTool('echo', args => JSON.stringify(args))
  const registry = createToolRegistry({ tools: [echo] })
  const wire = openAiResponses(registry, { newCallId: () => 'made' })

  it.each([
    ['by its own status', response([call('a', 'echo', '', 'incomplete')])],
    ['by the status of the response', response([call('a', 'echo', '')], { status: 'incomplete' })],
  ])('does not run a call that was cut off, %s', async (_how, answer) => {
    const before = echo.runs()
    const turn = wire.turn(answer as Parameters<typeof wire.turn>[0])
    expect(turn.calls).toEqual([])
    expect(turn.results([])).toMatchObject([{ call_id: 'a', output: expect.stringContaining('did not run') }])
    expect(echo.runs()).toBe(before)
  })

  it('fails a call whose text was cut off within', async () => {
    const before = echo.runs()
    const turn = wire.turn(response([call('a', 'echo', '{"a":', 'incomplete')]) as never)
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      { output: expect.stringContaining('not JSON') },
    ])
    expect(echo.runs()).toBe(before)
  })

  it('gives an id to a call that has none, in the reply as well', () => {
    const turn = wire.turn(response([call('', 'echo', '{}'), message]) as never)
    expect(turn.calls).toEqual([{ callId: 'made', name: 'echo', arguments: '{}' }])
    expect(turn.reply).toMatchObject([{ call_id: 'made' }, message])
  })
})

describe('results on Responses', () => {
  it('put files into the output, sounds in words, and remarks into a message', async () => {
    const show = countedTool('show', (_args, context) => {
      context.deferContext({ source: 'clock', content: [{ type: 'text', text: 'It is late.' }] })
      return [
        { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
        {
          type: 'resource',
          resource: { uri: 'file:///c/d.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' },
        },
      ]
    })
    const registry = createToolRegistry({ tools: [show] })
    const wire = openAiResponses(registry)
    const turn = wire.turn(response([call('a', 'show', '{}')]) as never)
    expect(turn.results(await registry.executeAll(turn.calls))).toEqual([
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: '[audio: audio/wav, 4 bytes, which cannot be shown here]' },
          { type: 'input_file', filename: 'd.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
        ],
      },
      { role: 'user', content: [{ type: 'input_text', text: '[clock] It is late.' }] },
    ])
  })
})

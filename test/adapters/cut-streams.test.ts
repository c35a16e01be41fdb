import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { createToolRegistry } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'
import { collectGoogleStream, googleContent } from 'toolgate/google'
import { openAiResponses } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'
import { loopback } from './loopback.js'

// What the cut-off arguments say would be enough for the tool.
const world = () => {
  const pay = countedTool('pay', () => 'paid')
  const note = countedTool('note', () => 'noted')
  return { pay, note, registry: createToolRegistry({ tools: [pay, note] }) }
}
const PIECES = ['{"euros":', '1']

describe('a stream that the token limit cuts off within a call runs the calls before it, and not that one', () => {
  it.each(PIECES.map((_, i) => PIECES.slice(0, i)).concat([PIECES, [...PIECES, '}']]))(
    'over Messages, through the helper of the SDK: %j',
    async (...pieces) => {
      const { pay, note, registry } = world()
      const wire = anthropicMessages(registry)
      const start = (index: number, id: string, name: string) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name, input: {} },
      })
      const message = {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'fake',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }
      const server = await loopback([
        {
          named: true,
          events: [
            { type: 'message_start', message },
            start(0, 'a', 'note'),
            { type: 'content_block_stop', index: 0 },
            start(1, 'b', 'pay'),
            ...pieces.map(partial_json => ({
              type: 'content_block_delta',
              index: 1,
              delta: { type: 'input_json_delta', partial_json },
            })),
            { type: 'content_block_stop', index: 1 },
            {
              type: 'message_delta',
              delta: { stop_reason: 'max_tokens', stop_sequence: null },
              usage: { output_tokens: 9 },
            },
            { type: 'message_stop' },
          ],
        },
      ])
      const anthropic = new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
      const stream = anthropic.messages.stream({
        model: 'fake',
        max_tokens: 9,
        messages: [],
        tools: wire.tools(),
      })
      const turn = wire.turn(await stream.finalMessage())
      const [answers] = turn.results(await registry.executeAll(turn.calls)) as any[]
      expect([note.runs(), pay.runs()]).toEqual([1, 0])
      expect(answers.content).toMatchObject([
        { tool_use_id: 'a', content: 'noted' },
        { tool_use_id: 'b', is_error: true, content: expect.stringContaining('did not run') },
      ])
    },
  )

  it.each(['', '{"euros":', '{"euros":1'])('over Responses, by its last event: %j', async args => {
    const { pay, note, registry } = world()
    const wire = openAiResponses(registry)
    const call = (call_id: string, name: string, text: string, status: string) => ({
      type: 'function_call',
      id: `fc_${call_id}`,
      call_id,
      name,
      arguments: text,
      status,
    })
    const response = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'fake',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [call('a', 'note', '{}', 'completed'), call('b', 'pay', args, 'incomplete')],
    }
    const server = await loopback([
      { named: true, events: [{ type: 'response.incomplete', sequence_number: 0, response }] },
    ])
    const openai = new OpenAI({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
    const stream = await openai.responses.create({
      model: 'fake',
      input: 'Go',
      tools: wire.tools(),
      stream: true,
    })
    for await (const event of stream) {
      if (event.type !== 'response.completed' && event.type !== 'response.incomplete') continue
      const turn = wire.turn(event.response)
      const answers = turn.results(await registry.executeAll(turn.calls)) as any[]
      expect(answers.map(({ output }) => output)).toEqual([
        'noted',
        expect.stringMatching(/did not run|not JSON/),
      ])
    }
    expect([note.runs(), pay.runs()]).toEqual([1, 0])
  })

  it.each([{}, { euros: 1 }])('over generateContent: %j', async args => {
    const { pay, note, registry } = world()
    const wire = googleContent(registry)
    const chunk = (name: string, given: object, finishReason?: string) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ functionCall: { name, args: given } }] },
          ...(finishReason && { finishReason }),
        },
      ],
    })
    const server = await loopback([{ events: [chunk('note', {}), chunk('pay', args, 'MAX_TOKENS')] }])
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.origin } })
    const turn = wire.turn(
      await collectGoogleStream(await google.models.generateContentStream({ model: 'fake', contents: 'Go' })),
    )
    const [answers] = turn.results(await registry.executeAll(turn.calls)) as any[]
    expect(answers.parts.map(({ functionResponse }: any) => functionResponse.response)).toEqual([
      { output: 'noted' },
      { error: expect.stringContaining('did not run') },
    ])
    expect([note.runs(), pay.runs()]).toEqual([1, 0])
  })
})

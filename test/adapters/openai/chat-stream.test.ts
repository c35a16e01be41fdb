import OpenAI from 'openai'
import { createToolRegistry } from 'toolgate'
import { collectChatStream, openAiChat } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'

const chunk = (delta: object, finish_reason: string | null = null, index = 0): object => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'fake',
  choices: [{ index, delta, finish_reason }],
})
const called = (index: number | undefined, rest: { id?: string; name?: string; args?: unknown }): object => ({
  ...(index !== undefined && { index }),
  ...(rest.id !== undefined && { id: rest.id, type: 'function' }),
  function: { ...(rest.name !== undefined && { name: rest.name }), arguments: rest.args },
})
const calls = (...tool_calls: object[]): object => chunk({ tool_calls })

/** Streams chunks through OpenAI's SDK and runs the calls in them. */
async function run(chunks: readonly (object | string)[]) {
  const echo = countedTool('echo', args => JSON.stringify(args), {
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
  })
  const registry = createToolRegistry({ tools: [echo] })
  const wire = openAiChat(registry)
  expect(wire.tools()[0]?.function.strict).toBe(true)
  const server = await loopback([{ events: chunks }])
  const openai = new OpenAI({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
  const stream = await openai.chat.completions.create({
    model: 'fake',
    messages: [],
    tools: wire.tools(),
    stream: true,
  })
  const completion = await collectChatStream(stream)
  const turn = wire.turn(completion)
  const results = await registry.executeAll(turn.calls)
  return {
    message: completion.choices[0]?.message,
    reason: completion.choices[0]?.finish_reason,
    codes: results.map(result => (result.isError ? result.error.code : 'ok')),
    told: turn.results(results).map(message => ('tool_call_id' in message ? message.content : '')),
    echo,
  }
}

describe('a stream of Chat Completions', () => {
  it('is its words, and fields that only some servers have, put together', async () => {
    const { message, reason } = await run([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'Let me ' }),
      chunk({ reasoning_content: 'see.', content: null }),
      chunk({ content: 'other' }, null, 1),
      chunk({ content: 'Do' }),
      chunk({ content: 'ne.', refusal: null }),
      { id: 'x', choices: [] },
      chunk({}, 'stop'),
      '[DONE]',
    ])
    expect(message).toEqual({ role: 'assistant', content: 'Done.', reasoning_content: 'Let me see.' })
    expect(reason).toBe('stop')
  })

  it.each<[string, object[]]>([
    [
      'by index',
      [
        calls(
          called(0, { id: 'a', name: 'echo', args: '' }),
          called(1, { id: 'b', name: 'echo', args: '{"n"' }),
        ),
        calls(called(1, { args: ':2}' }), called(0, { args: '{"n":1}' })),
      ],
    ],
    [
      'all with one index',
      [
        calls(called(0, { id: 'a', name: 'echo', args: '{"n":1' })),
        calls(called(0, { args: '}' })),
        calls(called(0, { id: 'b', name: 'echo', args: '{"n":' })),
        calls(called(0, { id: 'b', args: '2}' })),
      ],
    ],
    [
      'without index',
      [
        calls(called(undefined, { id: 'a', name: 'echo', args: '{"n":1}' })),
        calls(called(undefined, { id: 'b', name: 'echo', args: '{"n":2}' })),
      ],
    ],
    [
      'with a huge index',
      [
        calls(called(4_294_967_295, { id: 'a', name: 'echo', args: '{"n":1}' })),
        calls(called(1e300, { id: 'b', name: 'echo', args: '{"n":2}' })),
      ],
    ],
    [
      'with a name in every piece and values for texts',
      [
        calls(called(0, { id: 'a', name: 'echo', args: '{"n":' })),
        calls(called(0, { id: 'a', name: 'echo', args: '1}' })),
        calls(called(1, { id: 'b', name: 'echo', args: { n: 2 } })),
      ],
    ],
  ])('has the calls that were begun, told apart %s', async (_how, chunks) => {
    const { told, message, echo } = await run([...chunks, chunk({}, 'tool_calls'), '[DONE]'])
    expect(told).toEqual(['{"n":1}', '{"n":2}'])
    expect(message?.tool_calls?.map(({ id, function: { name } }) => [id, name])).toEqual([
      ['a', 'echo'],
      ['b', 'echo'],
    ])
    expect(echo.runs()).toBe(2)
  })

  it.each([
    ['within its arguments', '{"n":1', 'length', ['ARGUMENTS_NOT_JSON']],
    ['before its arguments', '', 'length', []],
    ['by nobody who says so, before its arguments', '', undefined, []],
    ['within its arguments, by a filter', '{"n"', 'content_filter', ['ARGUMENTS_NOT_JSON']],
  ])('does not run a call that was cut off %s, and does not throw', async (_where, args, reason, codes) => {
    const end = reason === undefined ? [] : [chunk({}, reason)]
    const stream = await run([calls(called(0, { id: 'a', name: 'echo', args })), ...end, '[DONE]'])
    expect(stream.codes).toEqual(codes)
    expect(stream.told).toEqual([expect.stringMatching(/did not run|not JSON/)])
    expect(stream.echo.runs()).toBe(0)
  })

  it('says of the whole what its chunks say of it', async () => {
    async function* chunks() {
      yield { ...(chunk({ content: 'Done.' }) as { choices: [] }), usage: null as null | object }
      yield { choices: [], usage: { total_tokens: 9 }, id: 'y' }
    }
    expect(await collectChatStream(chunks())).toMatchObject({
      id: 'y',
      model: 'fake',
      usage: { total_tokens: 9 },
    })
  })

  it('of no sense has no calls', async () => {
    async function* nonsense() {
      yield* [
        null,
        {},
        { choices: null },
        { choices: [{}] },
        { choices: [{ delta: { tool_calls: 'x' } }] },
      ] as never[]
      yield { choices: [{ delta: JSON.parse('{"__proto__":"x","tool_calls":[null,5]}') }] }
    }
    const completion = await collectChatStream(nonsense())
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined()
    expect(openAiChat([]).turn(completion).calls).toEqual([])
  })
})

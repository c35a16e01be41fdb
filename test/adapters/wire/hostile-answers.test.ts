import { createToolRegistry, type ToolRegistry } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'
import { googleContent } from 'toolgate/google'
import { openAiChat, openAiResponses } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'

interface AnyTurn {
  readonly reply: readonly object[]
  readonly calls: readonly object[]
  results(results: readonly never[]): object[]
}
type AnyWire = (registry: ToolRegistry) => { turn(answer: never): AnyTurn }

const WIRES: { readonly [name: string]: AnyWire } = {
  'openai chat': openAiChat as AnyWire,
  'openai responses': openAiResponses as AnyWire,
  anthropic: anthropicMessages as AnyWire,
  google: googleContent as AnyWire,
}

// What stands where the calls of an answer would be.
const NO_LISTS: readonly unknown[] = [undefined, null, 'no list', 5, { 0: {} }]
const answersWith = (given: unknown): { readonly [name: string]: readonly unknown[] } => ({
  'openai chat': [{ choices: given }, { choices: [{ message: { tool_calls: given } }] }],
  'openai responses': [{ output: given }],
  anthropic: [{ content: given }],
  google: [{ candidates: given }, { candidates: [{ content: { parts: given } }] }],
})

describe.each(Object.keys(WIRES))('%s', name => {
  it('reads no calls where an answer has no list of any, such as the body of an error', () => {
    const wire = (WIRES[name] as AnyWire)(createToolRegistry())
    const answers = NO_LISTS.flatMap(given => answersWith(given)[name] ?? [])
    for (const answer of [...answers, {}, null, undefined, { error: { message: 'overloaded' } }]) {
      const turn = wire.turn(answer as never)
      expect(turn.calls).toEqual([])
      expect(turn.results([])).toEqual([])
    }
  })
})

const chatAnswer = (args: unknown, finish_reason = 'tool_calls'): never =>
  ({
    choices: [
      {
        message: {
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'limit', arguments: args } }],
        },
        finish_reason,
      },
    ],
  }) as never

describe('arguments that are not what they seem', () => {
  it.each([[{}], [{ n: 1 }], [[]]])('are not run where a server has parsed what was cut off: %j', args => {
    const limit = countedTool('limit', () => 'done')
    const turn = openAiChat(createToolRegistry({ tools: [limit] })).turn(chatAnswer(args, 'length'))
    expect(turn.calls).toEqual([])
    expect(turn.results([])).toMatchObject([{ content: expect.stringContaining('did not run') }])
    expect(limit.runs()).toBe(0)
  })

  it.each(['{"n":1e999}', '{"n":-1e999}', '{"n":1,"list":[1e999]}'])(
    'are refused where a number is past all numbers, and never read as null: %s',
    async text => {
      const limit = countedTool('limit', () => 'done', {
        // What is optional may be null on the wire, so the arguments are read and written again.
        parameters: {
          type: 'object',
          properties: {
            n: { type: ['number', 'null'] },
            list: { type: 'array', items: { type: ['number', 'null'] } },
            other: { type: 'string' },
          },
          required: ['n'],
          additionalProperties: false,
        },
        validateArguments: true,
      })
      const registry = createToolRegistry({ tools: [limit] })
      const direct = await registry.execute({ callId: 'd', name: 'limit', arguments: text })
      const [result] = await registry.executeAll(openAiChat(registry).turn(chatAnswer(text)).calls)
      expect(result).toMatchObject({ isError: true })
      expect(result?.isError && result.error.code).toBe(direct.isError && direct.error.code)
      expect(limit.runs()).toBe(0)
    },
  )
})

it('tells the size of what it cannot show in time that grows with it, whatever the data is', async () => {
  const data = '= '.repeat(1_000_000)
  const shot = countedTool('limit', () => [{ type: 'image', mimeType: 'image/bmp', data: `${data}x` }])
  const registry = createToolRegistry({ tools: [shot] })
  const turn = openAiChat(registry).turn(chatAnswer('{}'))
  const results = await registry.executeAll(turn.calls)
  const [message] = turn.results(results)
  expect(message).toMatchObject({
    content: expect.stringContaining(`${Math.floor((2_000_001 * 3) / 4)} bytes`),
  })
}, 10_000)

/** A program's `text.slice(0, n)` through an emoji leaves half of it; providers refuse a request that has one, at every turn. */
import { createToolRegistry } from 'toolgate'
import { aiSdkTools } from 'toolgate/ai-sdk'
import { anthropicMessages } from 'toolgate/anthropic'
import { googleContent } from 'toolgate/google'
import { openAiChat, openAiResponses } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const HALF = '\ud83d'
const cutTool = countedTool('cut', () => `Lunch? ${HALF}`, {
  description: `Cuts ${HALF}.`,
  parameters: { type: 'object', properties: { [`k${HALF}`]: { type: 'string', description: HALF } } },
})
const registry = createToolRegistry({ tools: [cutTool] })

const WIRES = {
  anthropicMessages: () => {
    const wire = anthropicMessages(registry)
    const turn = wire.turn({ content: [{ type: 'tool_use', id: '1', name: 'cut', input: {} }] } as never)
    return { tools: wire.tools(), turn }
  },
  openAiChat: () => {
    const wire = openAiChat(registry)
    const call = { id: '1', type: 'function', function: { name: 'cut', arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const choices = [{ index: 0, finish_reason: 'tool_calls', message }]
    return { tools: wire.tools(), turn: wire.turn({ choices } as never) }
  },
  openAiResponses: () => {
    const wire = openAiResponses(registry)
    const output = [{ type: 'function_call', call_id: '1', name: 'cut', arguments: '{}' }]
    return { tools: wire.tools(), turn: wire.turn({ output } as never) }
  },
  googleContent: () => {
    const wire = googleContent(registry)
    const content = { role: 'model', parts: [{ functionCall: { id: '1', name: 'cut', args: {} } }] }
    return { tools: wire.tools(), turn: wire.turn({ candidates: [{ content }] } as never) }
  },
}

const halves = (value: unknown): number => (JSON.stringify(value).match(/\\ud[89a-f]/g) ?? []).length

describe('half a character of a result or a description', () => {
  it.each(Object.entries(WIRES))(
    'is told as U+FFFD by %s, and kept in the result itself',
    async (_name, open) => {
      const { tools, turn } = open()
      const results = await registry.executeAll(turn.calls)
      const runs = cutTool.runs()
      const messages = turn.results(results)
      expect([halves(results), halves(messages), halves(tools)]).toEqual([2, 0, 0])
      expect(JSON.stringify(messages)).toContain('Lunch? \ufffd')
      expect(JSON.stringify(tools)).toContain('Cuts \ufffd.')
      expect(cutTool.runs()).toBe(runs)
    },
  )

  it('is told so to the models of the AI SDK', async () => {
    const { cut } = aiSdkTools(registry) as unknown as Record<string, any>
    const output = await cut.execute({}, { toolCallId: '1', messages: [] })
    expect(cut.toModelOutput({ output })).toEqual({ type: 'text', value: 'Lunch? \ufffd' })
  })
})

import { aiSdkTools } from 'toolgate/ai-sdk'
import { anthropicMessages } from 'toolgate/anthropic'
import { googleContent } from 'toolgate/google'
import { openAiChat, openAiResponses } from 'toolgate/openai'
import { expectEqual } from './native.mjs'

/** One call over each wire. None of them needs an SDK, and calls without ids need nothing but what the runtime has. */
export async function checkWires(registry) {
  const args = { a: 1, b: 2 }
  const run = async (wire, answer) => {
    const turn = wire.turn(answer)
    return turn.results(await registry.executeAll(turn.calls))
  }
  const call = { type: 'function', function: { name: 'add', arguments: JSON.stringify(args) } }
  const [chat] = await run(openAiChat(registry), { choices: [{ message: { tool_calls: [call] } }] })
  expectEqual(chat.content, '3', 'a call over Chat Completions')
  const item = { type: 'function_call', call_id: 'a', name: 'add', arguments: JSON.stringify(args) }
  const [output] = await run(openAiResponses(registry), { output: [item] })
  expectEqual(output.output, '3', 'a call over Responses')
  const use = { type: 'tool_use', id: 'a', name: 'add', input: args }
  const [message] = await run(anthropicMessages(registry), { content: [use] })
  expectEqual(message.content[0].content, '3', 'a call over Messages')
  const parts = [{ functionCall: { name: 'add', args } }]
  const [content] = await run(googleContent(registry), { candidates: [{ content: { parts } }] })
  expectEqual(content.parts[0].functionResponse.response, { output: '3' }, 'a call over generateContent')
  const result = await aiSdkTools(registry).add.execute(args, { toolCallId: 'a' })
  expectEqual(result.value, 3, 'a call over the AI SDK')
}

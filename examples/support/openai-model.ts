// Any OpenAI-compatible chat endpoint, by plain fetch.
import type { Message, Model } from '../agent-loop.js'

interface ChatResponse {
  readonly choices?: readonly {
    readonly message?: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly id?: string
        readonly function?: { readonly name?: string; readonly arguments?: string }
      }[]
    }
  }[]
}

function toWire(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  if (message.role !== 'assistant') return { role: message.role, content: message.text }
  const tool_calls = message.calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return { role: 'assistant', content: message.text, ...(tool_calls.length > 0 && { tool_calls }) }
}

export function openAiModel(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}): Model {
  const url = `${options.baseUrl.replace(/\/$/, '')}/chat/completions`
  return async ({ messages, tools, signal }) => {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${options.apiKey}` },
      body: JSON.stringify({
        model: options.model,
        messages: messages.map(toWire),
        tools: tools.map(tool => ({ type: 'function', function: tool })),
      }),
    })
    if (!response.ok)
      throw new Error(
        `The model's endpoint answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
      )
    const { choices } = (await response.json()) as ChatResponse
    const message = choices?.[0]?.message
    if (message === undefined) throw new Error("The model's endpoint answered without a message")
    const calls = (message.tool_calls ?? []).map((call, i) => ({
      id: call.id ?? `call-${i + 1}`,
      name: call.function?.name ?? '',
      // As the model wrote it: text that is not JSON comes back to the model as an error it can read.
      arguments: call.function?.arguments ?? '',
    }))
    return { text: message.content ?? '', calls }
  }
}

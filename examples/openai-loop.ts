// Agent loops over OpenAI's SDK: Chat Completions and Responses. Each returns the model's last words.
import type OpenAI from 'openai'
import type { ToolScope } from 'toolgate'
import { openAiChat, openAiResponses } from 'toolgate/openai'

export interface LoopOptions {
  readonly client: OpenAI
  readonly scope: ToolScope
  readonly question: string
  readonly model: string
}

const MAX_TURNS = 20

export async function chatLoop({ client, scope, question, model }: LoopOptions): Promise<string> {
  const wire = openAiChat(scope)
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    ...scope.present().sections.map(section => ({ role: 'system' as const, content: section.text })),
    { role: 'user', content: question },
  ]
  for (let i = 0; i < MAX_TURNS; i++) {
    const completion = await client.chat.completions.create({ model, messages, tools: wire.tools() })
    const turn = wire.turn(completion)
    const answers = turn.results(await scope.executeAll(turn.calls))
    if (answers.length === 0) return completion.choices[0]?.message.content ?? ''
    messages.push(...turn.reply, ...answers)
  }
  throw new Error(`no answer after ${MAX_TURNS} turns`)
}

export async function responsesLoop({ client, scope, question, model }: LoopOptions): Promise<string> {
  const wire = openAiResponses(scope)
  const instructions = scope.present().sections.map(section => section.text)
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }]
  for (let i = 0; i < MAX_TURNS; i++) {
    const request = {
      model,
      instructions: instructions.join('\n\n'),
      input,
      tools: wire.tools(),
      store: false,
    }
    const response = await client.responses.create(request)
    const turn = wire.turn(response)
    const answers = turn.results(await scope.executeAll(turn.calls))
    if (answers.length === 0) return response.output_text
    input.push(...turn.reply, ...answers)
  }
  throw new Error(`no answer after ${MAX_TURNS} turns`)
}

// An agent loop over Anthropic's SDK. It returns the model's last words.
import type Anthropic from '@anthropic-ai/sdk'
import type { ToolScope } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'

export interface LoopOptions {
  readonly client: Anthropic
  readonly scope: ToolScope
  readonly question: string
  readonly model: string
  readonly maxTurns?: number
}

export async function messagesLoop(options: LoopOptions): Promise<string> {
  const { client, scope, question, model, maxTurns = 20 } = options
  const wire = anthropicMessages(scope)
  const system = scope.present().sections.map(({ text }) => ({ type: 'text' as const, text }))
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (let i = 0; i < maxTurns; i++) {
    const request = {
      model,
      max_tokens: 4_096,
      messages,
      tools: wire.tools(),
      ...(system.length > 0 && { system }),
    }
    const message = await client.messages.create(request)
    const turn = wire.turn(message)
    messages.push(...turn.reply)
    const answers = turn.results(await scope.executeAll(turn.calls))
    // A call that was cut off is answered too, though it is not among the calls.
    if (answers.length === 0)
      return message.content.map(block => (block.type === 'text' ? block.text : '')).join('')
    messages.push(...answers)
  }
  throw new Error(`no answer after ${maxTurns} turns`)
}

// A function of a cloud: it is sent a model's message, runs the calls in it, and answers with the messages to send back.
import { createToolRegistry, defineTool, timeoutPolicy } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'

interface HttpEvent {
  readonly body?: string | null
}
interface Context {
  getRemainingTimeInMillis(): number
}

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'orders.total',
      description: 'Adds up amounts.',
      parameters: { amounts: { type: 'array', items: { type: 'number' }, required: true } },
      annotations: { readOnlyHint: true },
      isConcurrencySafe: () => true,
      execute: ({ amounts }) => String(amounts.reduce((sum, amount) => sum + amount, 0)),
    }),
  ],
  stages: [timeoutPolicy({ defaultMs: 10_000 })],
})
// Made once, when the function is loaded.
const wire = anthropicMessages(registry)

export async function handler(
  event: HttpEvent,
  context: Context,
): Promise<{ statusCode: number; body: string }> {
  const answer = (statusCode: number, body: unknown) => ({ statusCode, body: JSON.stringify(body) })
  // A request without a message wants to know the tools.
  if (!event.body) return answer(200, { tools: wire.tools() })
  let message: Parameters<typeof wire.turn>[0]
  try {
    message = JSON.parse(event.body)
    if (!Array.isArray(message?.content)) throw new Error('no content')
  } catch {
    return answer(400, { error: 'The body must be a message of a model' })
  }
  // Ends before the platform would end it, and says which calls were not done.
  const leftMs = context.getRemainingTimeInMillis() - 500
  const signal = leftMs > 0 ? AbortSignal.timeout(leftMs) : AbortSignal.abort()
  const turn = wire.turn(message)
  const results = await registry.executeAll(turn.calls, { signal })
  return answer(200, { messages: [...turn.reply, ...turn.results(results)] })
}

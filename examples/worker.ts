// A Cloudflare Worker: it is sent a completion, runs the calls in it, and answers with the messages to send back.
import { createToolRegistry, defineTool } from 'toolgate'
import { openAiChat } from 'toolgate/openai'

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'text.reverse',
      description: 'Turns a text around.',
      parameters: { text: { type: 'string', required: true }, upper: { type: 'boolean' } },
      isConcurrencySafe: () => true,
      execute: ({ text, upper }) => {
        const turned = [...text].reverse().join('')
        return upper ? turned.toUpperCase() : turned
      },
    }),
  ],
  // Whatever runs here is seen here.
  stages: [{ onResult: (call, result) => console.log(call.name, result.isError ? result.error.code : 'ok') }],
})
const wire = openAiChat(registry)

const worker: { fetch(request: Request): Promise<Response> } = {
  async fetch(request) {
    // A request without a completion wants to know the tools.
    if (request.method !== 'POST') return Response.json({ tools: wire.tools() })
    const completion = await request.json().catch(() => undefined)
    if (!Array.isArray((completion as { choices?: unknown } | undefined)?.choices))
      return Response.json({ error: 'The body must be a completion' }, { status: 400 })
    const turn = wire.turn(completion as Parameters<typeof wire.turn>[0])
    const results = await registry.executeAll(turn.calls, { signal: request.signal })
    return Response.json({ messages: [...turn.reply, ...turn.results(results)] })
  },
}

export default worker

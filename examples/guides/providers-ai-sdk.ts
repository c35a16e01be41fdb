import { tool } from 'ai'
import { createToolRegistry } from 'toolgate'
import { aiSdkTools, fromAiSdkTools } from 'toolgate/ai-sdk'
import { z } from 'zod'

// A tool that was made for the AI SDK, under a guard.
const pay = tool({
  description: 'Pays an invoice.',
  inputSchema: z.object({ euros: z.number() }),
  execute: async ({ euros }) => `paid ${euros}`,
})
const registry = createToolRegistry({
  tools: await fromAiSdkTools({ pay }),
  stages: [
    {
      guard: ({ arguments: args }) =>
        (args as { euros: number }).euros > 100 ? 'more than 100 euros need a person' : undefined,
    },
  ],
})

// What goes to generateText({ tools }).
const tools = aiSdkTools(registry)
for (const [i, euros] of [20, 2_000].entries()) {
  const output = await tools.pay?.execute({ euros }, { toolCallId: `call-${i}` })
  if (output) console.log(tools.pay?.toModelOutput({ output }))
}

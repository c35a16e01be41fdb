import { createToolRegistry, defineTool, jsonSchema } from 'toolgate'
import { preflight } from 'toolgate/google'

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'shop/search',
      description: 'Searches the shop.',
      parameters: jsonSchema({
        type: 'object',
        properties: {
          price: { type: 'number', exclusiveMinimum: 0 },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          stars: { enum: [1, 2, 3] },
        },
      }),
      execute: () => 'nothing found',
    }),
  ],
})

for (const provider of ['openai', 'google'] as const)
  for (const { path, outcome, message } of preflight(registry, provider, { strict: true }))
    console.log(`${provider} ${outcome} ${path}\n  ${message}`)

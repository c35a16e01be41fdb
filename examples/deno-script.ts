// A script for `deno run`, without any permission: what Google's API is sent, and what it is answered. Runs in Node as well.
import { createToolRegistry, defineTool } from 'toolgate'
import { googleContent, preflight } from 'toolgate/google'

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'dice/roll',
      description: 'Rolls a die that always shows its most.',
      parameters: { sides: { type: 'integer', enum: [6, 20], required: true } },
      execute: ({ sides }) => String(sides),
    }),
  ],
})
const wire = googleContent(registry)
console.log(JSON.stringify(wire.tools()))
for (const { tool, path, message } of preflight(registry, 'google'))
  console.log(`${tool} ${path}: ${message}`)

const name = wire.wireName('dice/roll')
const turn = wire.turn({
  candidates: [{ content: { role: 'model', parts: [{ functionCall: { name, args: { sides: 20 } } }] } }],
})
for (const content of turn.results(await registry.executeAll(turn.calls)))
  console.log(JSON.stringify(content))

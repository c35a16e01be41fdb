import { createToolRegistry, defineTool, rateLimit } from 'toolgate'

const tool = (name: string) =>
  defineTool({
    name,
    description: `Calls ${name}.`,
    parameters: {},
    isConcurrencySafe: () => true,
    execute: (_args, { callId }) => {
      console.log(`${callId} runs`)
    },
  })

const registry = createToolRegistry({
  tools: [tool('search'), tool('translate')],
  stages: [
    // No user makes more than three calls a minute, whatever the tool: more than that fail.
    rateLimit({ limit: 3, perMs: 60_000, key: call => call.caller as string }),
    // The service allows two requests in 100 ms: more than that wait for their turn.
    rateLimit({
      limit: 2,
      perMs: 100,
      wait: true,
      key: call => (call.name === 'search' ? 'search' : undefined),
    }),
  ],
})

const names = ['search', 'search', 'search', 'translate', 'translate']
const results = await registry.executeAll(
  names.map((name, at) => ({ callId: `${name} ${at + 1}`, name, caller: at < 4 ? 'ada' : 'bob' })),
)
for (const result of results) {
  if (result.isError) console.log(`${result.callId}: ${result.error.code}`)
}

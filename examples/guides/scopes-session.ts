import { createToolRegistry, defineTool } from 'toolgate'

const whoAmI = (user: string) =>
  defineTool({
    name: 'who_am_i',
    description: 'Says who the user is.',
    parameters: {},
    execute: (_args, { caller }) => `${user}, asked by ${String(caller)}`,
  })

const registry = createToolRegistry()

// One scope for each conversation: its own tools, its own stages, gone when it is over.
const session = registry.createScope({
  id: 'session-17',
  tools: [whoAmI('Ada')],
  stages: [{ onResult: ({ name, scope }) => console.log(`${scope} called ${name}`) }],
})
const result = await session.execute({ callId: '1', name: 'who_am_i', caller: 'the agent' })
console.log(result.isError ? result.error.code : result.value)

await session.dispose()
const late = await session.execute({ callId: '2', name: 'who_am_i' })
console.log(late.isError ? late.error.code : late.value)

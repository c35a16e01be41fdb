import { concurrencyLimit, createToolRegistry, defineTool } from 'toolgate'

const open: (() => void)[] = []
const query = defineTool({
  name: 'query',
  description: 'Asks the database.',
  parameters: {},
  isConcurrencySafe: () => true,
  execute: async (_args, { callId }) => {
    console.log(`${callId} starts`)
    await new Promise<void>(resolve => open.push(resolve))
    console.log(`${callId} ends`)
  },
})

const registry = createToolRegistry({
  tools: [query],
  stages: [concurrencyLimit({ limit: 2, queue: 1 })],
})
registry.on('result', ({ callId, result }) => {
  if (result.isError) console.log(`${callId}: ${result.error.message}`)
})

const calls = ['a', 'b', 'c', 'd'].map(callId => registry.execute({ callId, name: 'query' }))
await calls[3]
while (open.length > 0) {
  open.shift()?.()
  await new Promise(resolve => setTimeout(resolve, 5))
}
await Promise.all(calls)

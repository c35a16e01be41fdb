import { circuitBreaker, createToolRegistry, defineTool } from 'toolgate'

let up = false
const weather = defineTool({
  name: 'weather',
  description: 'Asks for the weather.',
  parameters: {},
  execute: () => {
    console.log('  the service is asked')
    if (!up) throw new Error('no answer')
    return 'sunny'
  },
})

const registry = createToolRegistry({
  tools: [weather],
  stages: [circuitBreaker({ failures: 2, resetAfterMs: 300 })],
})

const ask = async () => {
  const result = await registry.execute({ callId: '1', name: 'weather' })
  console.log(result.isError ? result.error.code : result.value)
}

await ask()
await ask()
await ask() // Open: the service is left alone.
up = true
await new Promise(resolve => setTimeout(resolve, 350))
await ask() // One call is let through, and works: closed.
await ask()

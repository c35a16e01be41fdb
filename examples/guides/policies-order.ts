import {
  circuitBreaker,
  concurrencyLimit,
  createToolRegistry,
  defineTool,
  retryPolicy,
  timeoutPolicy,
} from 'toolgate'

let asked = 0
const stock = defineTool({
  name: 'stock',
  description: 'Asks a slow service for a price.',
  parameters: {},
  annotations: { readOnlyHint: true },
  execute: (_args, { signal }) => {
    if (++asked === 3) return '42.10'
    return new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  },
})

const registry = createToolRegistry({
  tools: [stock],
  stages: [
    timeoutPolicy({ defaultMs: 10_000 }), // for all attempts and the waiting together
    retryPolicy({ attempts: 3, backoffMs: 5 }), // each attempt takes a new place
    concurrencyLimit({ limit: 5 }), // and holds it no longer than it runs
    circuitBreaker({ failures: 10, resetAfterMs: 30_000 }), // counts each attempt
    timeoutPolicy({ defaultMs: 50 }), // for one attempt, waiting not counted
  ],
})

const result = await registry.execute({ callId: '1', name: 'stock' })
console.log(result.isError ? result.error : result.value, `after ${asked} attempts`)

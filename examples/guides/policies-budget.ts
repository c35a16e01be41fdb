import { createToolRegistry, defineTool, resultBudget } from 'toolgate'

const query = defineTool({
  name: 'query',
  description: 'Asks the database.',
  parameters: {},
  output: {
    schema: { type: 'array', items: { type: 'json' } },
    render: (_args, rows) => [{ type: 'text', text: JSON.stringify(rows) }],
  },
  execute: () =>
    Array.from({ length: 5_000 }, (_, id) => ({ id, name: `customer ${id}`, notes: '-'.repeat(200) })),
})

const store = new Map<string, unknown>()
const registry = createToolRegistry({
  tools: [query],
  stages: [
    resultBudget({
      maxBytes: 20_000,
      tools: { query: 2_000, 'debug_*': Number.POSITIVE_INFINITY },
      sink: async (call, whole) => {
        const handle = `result://${call.callId}`
        store.set(handle, whole.value)
        return handle
      },
    }),
  ],
})

const result = await registry.execute({ callId: '1', name: 'query' })
const [rows, note] = result.content.map(block => (block.type === 'text' ? block.text : block.type))
const shown = JSON.parse(rows ?? '')
console.log(shown.length, shown[0].name, '|', shown.at(-1))
console.log(note)
console.log(result.meta)
console.log(result.isError ? 'failed' : (result.value as unknown[]).length, [...store.keys()])

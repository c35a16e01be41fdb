import { createToolRegistry, defineTool, type StandardSchema } from 'toolgate'

// Any object with `~standard` is a Standard Schema. This one is written by hand and cannot print itself.
const evenNumber: StandardSchema<{ n: number }, { n: number; half: number }> = {
  '~standard': {
    version: 1,
    vendor: 'mine',
    validate: value => {
      const n: unknown = (value as { n?: unknown } | null)?.n
      if (typeof n !== 'number') return { issues: [{ path: ['n'], message: 'must be a number' }] }
      if (n % 2 !== 0) return { issues: [{ path: ['n'], message: `must be even, got ${n}` }] }
      return { value: { n, half: n / 2 } }
    },
  },
}

const halve = defineTool({
  name: 'halve',
  description: 'Halves an even number.',
  // So it stands beside the JSON Schema that the model sees.
  parameters: {
    schema: evenNumber,
    jsonSchema: { type: 'object', properties: { n: { type: 'integer', multipleOf: 2 } }, required: ['n'] },
  },
  execute: ({ half }) => `${half}`,
})
const registry = createToolRegistry({ tools: [halve] })

for (const n of [6, 7]) {
  const result = await registry.execute({ callId: '1', name: 'halve', arguments: { n } })
  console.log(result.isError ? result.error.message : result.value)
}

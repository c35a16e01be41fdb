import { createToolRegistry, defineTool } from 'toolgate'

// Without an output, a tool gives content: text, blocks, or blocks with something for the user interface.
const note = defineTool({
  name: 'note',
  description: 'Reads a note.',
  parameters: {},
  execute: () => ({ content: [{ type: 'text', text: 'Buy milk' }], meta: { color: 'yellow' } }),
})

// With one, the body gives a value only. What the model reads of it is made by `render`.
const weather = defineTool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: { city: { type: 'string', required: true } },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        sky: { type: 'string', enum: ['clear', 'cloudy'], required: true },
        celsius: { type: 'number', required: true },
      },
    },
    render: ({ city }, { sky, celsius }) => [{ type: 'text', text: `${city}: ${sky}, ${celsius} °C` }],
    presentationMeta: (_args, { sky }) => ({ icon: sky === 'clear' ? 'sun' : 'cloud' }),
  },
  execute: ({ city }) => ({ sky: 'clear', celsius: city === 'Oslo' ? Number.NaN : 21 }),
})
const registry = createToolRegistry({ tools: [note, weather] })

for (const [name, args] of [
  ['note', {}],
  ['weather', { city: 'Rome' }],
  // NaN is no JSON: the result says so, and nothing half-way leaves the tool.
  ['weather', { city: 'Oslo' }],
] as const) {
  const result = await registry.execute({ callId: '1', name, arguments: args })
  if (result.isError) console.log(result.error.code, result.error.message)
  else console.log(JSON.stringify(result.value), JSON.stringify(result.content), JSON.stringify(result.meta))
}

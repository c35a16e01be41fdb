import { createToolRegistry, defineTool, jsonSchema, ToolgateError } from 'toolgate'

const search = defineTool({
  name: 'search',
  description: 'Searches pages.',
  parameters: {
    query: { type: 'string', required: true },
    // For the model to read. Nobody fills it in.
    limit: { type: 'integer', default: 10 },
    // An object always says whether other properties may stand beside the declared ones.
    range: { type: 'object', additionalProperties: false, properties: { from: { type: 'integer' } } },
  },
  execute: ({ query, limit = 10, ...rest }) => `${query}, ${limit}, ${JSON.stringify(rest)}`,
})

// A map of properties is open. For closed arguments, write the object yourself.
const closed = defineTool({
  name: 'closed_search',
  description: 'Searches pages.',
  parameters: jsonSchema<{ query: string }>({
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  }),
  execute: ({ query }) => query,
})

const registry = createToolRegistry({ tools: [search, closed] })
for (const [name, args] of [
  ['search', { query: 'cats' }],
  ['search', { query: 'cats', page: 2 }],
  ['search', { query: 'cats', range: { from: 1, to: 2 } }],
  ['search', { query: 'cats', limit: null }],
  ['closed_search', { query: 'cats', page: 2 }],
] as const) {
  const result = await registry.execute({ callId: '1', name, arguments: args })
  console.log(result.isError ? result.error.message : result.value)
}

// TypeScript refuses this already; whoever does not use it is told here.
try {
  const range = { type: 'object', properties: { from: { type: 'integer' } } } as never
  defineTool({ name: 'bad', description: 'Says too little.', parameters: { range }, execute: () => '' })
} catch (error) {
  if (ToolgateError.isInstance(error)) console.log(`thrown ${error.code}: ${error.message}`)
}

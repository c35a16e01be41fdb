import { createToolRegistry, defineTool, jsonSchema, renderToolsSdk } from 'toolgate'

const issues = defineTool({
  name: 'list-issues',
  description: 'Lists the issues of a project.',
  parameters: {
    project: { type: 'string', required: true },
    limit: { type: 'integer', description: 'At most 100' },
  },
  output: {
    schema: jsonSchema<{ id: number; labels: string[] }[]>({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          labels: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        },
        required: ['id', 'labels'],
        additionalProperties: false,
      },
    }),
    render: (_args, found) => [{ type: 'text', text: found.map(({ id }) => `#${id}`).join(' ') }],
  },
  execute: () => [{ id: 7, labels: ['bug'] }],
})
const registry = createToolRegistry({ tools: [issues] })

// What a program is written against. Results have types, because the tool has an output schema.
const text = renderToolsSdk(registry.visible())
console.log(text.slice(text.indexOf('declare const tools')))

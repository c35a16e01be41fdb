import { createToolRegistry, defineTool } from 'toolgate'

// A content tool returns what the model reads; its value is that text.
const describeDay = defineTool({
  name: 'describe_day',
  description: 'Describes the weather.',
  parameters: {},
  execute: () => 'Sunny, 21 degrees',
})

// With `output` a tool returns a value, which is checked, and says how the model reads it.
const measure = defineTool({
  name: 'measure',
  description: 'Measures the weather.',
  parameters: { broken: { type: 'boolean' } },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { degrees: { type: 'number', required: true } },
    },
    render: (_args, { degrees }) => [{ type: 'text', text: `It is ${degrees} degrees` }],
  },
  execute: ({ broken }) => ({ degrees: broken ? ('warm' as never) : 21 }),
})

const registry = createToolRegistry({ tools: [describeDay, measure] })
for (const [name, args] of [
  ['describe_day', {}],
  ['measure', {}],
  ['measure', { broken: true }],
] as const) {
  const { content, ...result } = await registry.execute({ callId: '1', name, arguments: args })
  console.log('value:', result.isError ? result.error.code : result.value)
  console.log('content:', content[0]?.type === 'text' && content[0].text)
}

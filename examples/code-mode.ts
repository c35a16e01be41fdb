import { createToolRegistry, defineTool } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'

const listOrders = defineTool({
  name: 'list_orders',
  description: 'Lists the totals of all orders.',
  parameters: {},
  output: {
    schema: { type: 'array', items: { type: 'number' } },
    render: (_args, totals) => [{ type: 'text', text: totals.join('\n') }],
  },
  isConcurrencySafe: () => true,
  execute: () => [40, 250, 900],
})
const registry = createToolRegistry({
  tools: [listOrders],
  mode: 'code',
  codeRuntime: () => quickJsRuntime(),
})

// For the model: `tools` is [run_code], `sections` are texts for the system prompt.
const { tools, sections } = registry.present()
console.log([...tools.map(tool => tool.name), ...sections.map(section => section.id)])

const result = await registry.execute({
  callId: '1',
  name: 'run_code',
  arguments: {
    description: 'Add up the large orders',
    code: 'const all = await tools.list_orders({}); return all.filter(t => t > 100).reduce((a, b) => a + b)',
  },
})
console.log(result.isError ? result.error : result.value)

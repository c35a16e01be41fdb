import { createToolRegistry, defineTool, ToolgateError } from 'toolgate'

const divide = defineTool({
  name: 'divide',
  description: 'Divides a by b.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  execute: ({ a, b }) => {
    if (b === 0) throw new Error('Division by zero')
    return String(a / b)
  },
})
const registry = createToolRegistry({ tools: [divide] })

// What happens to a call is a result: this never throws.
for (const input of [
  { callId: '1', name: 'divide', arguments: '{"a": 6, "b": 3}' },
  { callId: '2', name: 'divide', arguments: '{"a": 6, "b": 0}' },
  { callId: '3', name: 'divide', arguments: '{"a": 6, "b": "3"}' },
  { callId: '4', name: 'divide', arguments: '{"a": 6, "b": 3' },
  { callId: '5', name: 'devide', arguments: '{"a": 6, "b": 3}' },
]) {
  const result = await registry.execute(input)
  if (result.isError) console.log(`${result.error.code}: ${result.error.message}`)
  else console.log(result.value)
}

// A mistake in your own program throws at once.
try {
  registry.register(divide)
} catch (error) {
  if (ToolgateError.isInstance(error)) console.log(`thrown ${error.code}: ${error.message}`)
}

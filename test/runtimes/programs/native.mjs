import { createToolRegistry, defineTool, jsonSchema } from 'toolgate'

/** Throws unless both print the same JSON. */
export function expectEqual(actual, expected, what) {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`)
}

export const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: {
    schema: { type: 'number' },
    render: (_args, value) => [{ type: 'text', text: String(value) }],
  },
  execute: ({ a, b }) => a + b,
})

// Full JSON Schema: checked by compiled code where the runtime allows it, else by the interpreter.
export const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  parameters: jsonSchema({
    type: 'object',
    properties: { who: { type: 'string', minLength: 2, pattern: '^[A-Z]' } },
    required: ['who'],
    additionalProperties: false,
  }),
  execute: ({ who }) => `Hello, ${who}!`,
})

/** The main entry alone: a call with a value, one with text, one that the schema refuses. */
export async function checkNative(registry) {
  const sum = await registry.execute({ callId: '1', name: 'add', arguments: { a: 1, b: 2 } })
  expectEqual([sum.isError, sum.value], [false, 3], 'add')
  const greeting = await registry.execute({ callId: '2', name: 'greet', arguments: '{"who":"Ada"}' })
  expectEqual([greeting.isError, greeting.value], [false, 'Hello, Ada!'], 'greet')
  const refused = await registry.execute({ callId: '3', name: 'greet', arguments: { who: 'ada' } })
  expectEqual([refused.isError, refused.error?.code], [true, 'INVALID_ARGS'], 'greet with a bad name')
}

/** Runs the native checks on a registry that has no code runtime. */
export async function native() {
  const registry = createToolRegistry({ tools: [add, greet] })
  await checkNative(registry)
  await registry.dispose()
}

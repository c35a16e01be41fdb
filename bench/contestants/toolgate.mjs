import { z } from 'zod'
import { createToolRegistry, defineTool } from '../../dist/index.js'

export { createToolRegistry, defineTool }

export const ARGS = { path: 'src/index.ts', limit: 20 }
export const ARGS_TEXT = JSON.stringify(ARGS)

/** The same arguments for everybody: a string and a whole number, both required. */
export const parameters = {
  path: { type: 'string', required: true, description: 'The file' },
  limit: { type: 'integer', required: true, description: 'How many lines' },
}
export const zodParameters = {
  path: z.string().describe('The file'),
  limit: z.int().describe('How many lines'),
}
export const jsonSchemaParameters = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The file' },
    limit: { type: 'integer', description: 'How many lines' },
  },
  required: ['path', 'limit'],
  additionalProperties: false,
}

export const noop = (name, schema = parameters) =>
  defineTool({ name, description: 'Does nothing', parameters: schema, execute: async () => 'ok' })

/** A tool with a validated value, as peers that require an output schema have it. */
export const noopWithValue = name =>
  defineTool({
    name,
    description: 'Does nothing',
    parameters,
    output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
    execute: async () => 'ok',
  })

/** One call after another; fails loudly, so that no benchmark times an error path. */
export function caller(registry, name, args = ARGS) {
  let n = 0
  return async () => {
    const result = await registry.execute({ callId: `c${n++}`, name, arguments: args })
    if (result.isError) throw new Error(result.error.message)
  }
}

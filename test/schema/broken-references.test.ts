import { createToolRegistry, defineTool, jsonSchema, jsonSchemaToTs, OutputSchemaError } from 'toolgate'
import { describe, expect, test } from 'vitest'
import { countedTool } from '../support/tools.js'

const schema = {
  type: 'object',
  properties: {
    good: { $ref: '#/$defs/point' },
    bad: { $ref: '#/$defs/nowhere' },
    list: { type: 'array', items: { $ref: 'https://example.com/schema' } },
  },
  required: ['good', 'bad'],
  additionalProperties: false,
  $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
}

const faults = [
  'schema.properties.bad.$ref refers to "#/$defs/nowhere", which is not in this schema',
  'schema.properties.list.items.$ref refers to "https://example.com/schema", which is not in this schema',
]

function refusal(register: () => unknown): OutputSchemaError {
  try {
    register()
  } catch (error) {
    if (error instanceof OutputSchemaError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('a reference that leads nowhere', () => {
  test('is refused by name where arguments are validated, and the registry stays as it was', () => {
    const registry = createToolRegistry()
    const error = refusal(() =>
      registry.register(countedTool('tool', () => 'done', { parameters: schema, validateArguments: true })),
    )
    expect(error.code).toBe('UNSUPPORTED_SCHEMA')
    expect(error.violations.map(({ message }) => message)).toEqual(faults)
    expect(error.message).toContain('Tool "tool": parameters cannot be used: ')
    expect(registry.visible()).toEqual([])
  })

  test('is refused by name where defineTool was given raw JSON Schema, which waits for a registry', () => {
    const tool = defineTool({
      name: 'tool',
      description: 'A tool.',
      parameters: jsonSchema(schema),
      execute: () => 'done',
    })
    const error = refusal(() => createToolRegistry().register(tool))
    expect(error.violations.map(({ message }) => message)).toEqual(faults)
  })

  test('is refused by name in the schema of an output', () => {
    const registry = createToolRegistry()
    const error = refusal(() =>
      registry.register(countedTool('tool', () => 'done', { output: { schema, render: () => [] } })),
    )
    expect(error.violations.map(({ message }) => message)).toEqual(faults)
  })

  test('is no harm where nothing is validated: the tool runs, and its declaration is vague at that place alone', async () => {
    const registry = createToolRegistry()
    registry.register(countedTool('tool', args => JSON.stringify(args), { parameters: schema }))
    expect(await registry.execute({ callId: '1', name: 'tool', arguments: { bad: 1 } })).toMatchObject({
      isError: false,
      value: '{"bad":1}',
    })
    const printed = jsonSchemaToTs(schema)
    expect(printed).toContain('good: { x: number }')
    expect(printed).toContain('bad: JsonValue')
    expect(printed).toContain('list?: JsonValue[]')
  })
})

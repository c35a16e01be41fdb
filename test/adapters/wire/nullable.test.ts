import { Ajv2020 } from 'ajv/dist/2020.js'
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { fromOpenApi, WIRES } from './dialects.js'

type Json = any

const NODES: readonly Json[] = [
  { type: 'string', nullable: true },
  { type: 'string', nullable: false },
  { type: 'string', nullable: 'true' },
  { type: 'integer', nullable: true, minimum: 1 },
  { type: ['string', 'integer'], nullable: true },
  { type: ['string', 'null'], nullable: true },
  { type: 'string', enum: ['a', 'b'], nullable: true },
  { type: 'string', enum: ['a', null], nullable: true },
  { enum: ['a', 'b'], nullable: true },
  { enum: [1, 2], nullable: true },
  { type: 'string', const: 'a', nullable: true },
  { const: null, type: 'string', nullable: true },
  { type: 'object', properties: { x: { type: 'string', nullable: true } }, required: ['x'], nullable: true },
  { type: 'array', items: { type: 'string', nullable: true }, nullable: true },
  { $ref: '#/$defs/maybe' },
  { $ref: '#/$defs/maybe', type: 'string', nullable: true },
  { $ref: '#/$defs/maybe', type: 'string' },
  { $ref: '#/$defs/word', nullable: true },
  { $ref: '#/$defs/word', type: 'string', nullable: true },
  { anyOf: [{ type: 'string', nullable: true }, { type: 'integer' }] },
  { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
  {
    type: ['string', 'integer'],
    nullable: true,
    anyOf: [{ type: 'string', nullable: true }, { minimum: 1 }],
  },
  { oneOf: [{ type: 'string', nullable: true }, { type: 'integer' }] },
  { allOf: [{ type: 'string', nullable: true }, { $ref: '#/$defs/maybe' }] },
  { allOf: [{ type: 'string', nullable: true }, { type: 'string' }] },
  { type: 'string', nullable: true, allOf: [{ $ref: '#/$defs/maybe' }], description: 'Text.' },
]
const $defs = { maybe: { type: 'string', nullable: true }, word: { type: 'string' } }

const parametersOf = (node: Json, required: boolean): Json => ({
  type: 'object',
  properties: { a: node, b: { type: 'string' } },
  ...(required && { required: ['a'] }),
  additionalProperties: false,
  $defs,
})

describe.each(Object.entries(WIRES))('nullable of OpenAPI on the wire of %s', (name, open) => {
  const cases = NODES.flatMap(node => [true, false].map(required => ({ node, required })))

  it.each(cases)(
    'admits null where the tool takes it, and nowhere else: $node, required $required',
    async ({ node, required }) => {
      const parameters = parametersOf(node, required)
      const echo = countedTool('echo', args => JSON.stringify(args), { parameters, validateArguments: true })
      const registry = createToolRegistry({ tools: [echo] })
      const wire = open(registry)
      const schema = name === 'google, openapi' ? fromOpenApi(wire.schema) : wire.schema
      const fits = new Ajv2020({ strict: false }).compile(schema)
      const run = (args: unknown) => registry.execute({ callId: 'a', name: 'echo', arguments: args })
      const takes = !(await run({ a: null })).isError

      // A null that stands for what is left out is not the tool's own.
      const value = { a: null, ...(schema.required?.includes('b') && { b: null }) }
      if (takes) expect(fits(value)).toBe(true)
      if (!takes && wire.findings.every(({ exact }) => exact) && fits(value))
        expect(wire.decode(value)).toEqual({})
      if (takes && fits(value)) expect(wire.decode(value)).toEqual({ a: null })
      expect(JSON.stringify(wire.schema).includes('nullable')).toBe(
        name === 'google, openapi' && JSON.stringify(wire.schema).includes('"nullable":true'),
      )
      // Whatever the tool takes beside null still goes.
      for (const a of ['a', 1, { x: null }, [null]])
        if (!(await run({ a })).isError && !wire.strict) expect(fits({ a })).toBe(true)
    },
  )
})

describe.each(Object.entries(WIRES))('a reference of draft-07 on the wire of %s', (name, open) => {
  it('stands alone: what is beside it asks for nothing, nor does a value that looks like one', async () => {
    const parameters: Json = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        a: { $ref: '#/definitions/a', type: 'string', minLength: 5, description: 'An a.' },
        b: { const: { $ref: '#/definitions/a', minLength: 5 } },
        enum: { $ref: '#/definitions/a', type: 'string', minLength: 5 },
      },
      required: ['a'],
      definitions: { a: { type: ['string', 'integer'] } },
    }
    const echo = countedTool('echo', () => 'ok', { parameters, validateArguments: true })
    const registry = createToolRegistry({ tools: [echo] })
    const wire = open(registry)
    const schema = name === 'google, openapi' ? fromOpenApi(wire.schema) : wire.schema
    const fits = new Ajv2020({ strict: false }).compile(schema)
    for (const a of [1, 'x', 'long enough'])
      expect([
        (await registry.execute({ callId: 'a', name: 'echo', arguments: { a, enum: a } })).isError,
        fits({ a, enum: a }),
      ]).toEqual([false, true])
    const beside = { ...parameters, $schema: undefined }
    const modern = open([
      { name: 'echo', description: '', parameters: JSON.parse(JSON.stringify(beside)) },
    ]).schema
    expect(JSON.stringify(modern)).toMatch(/minLength":("5"|5)|minLength 5/)
    if (!wire.strict && name.startsWith('openai'))
      expect(schema.properties.b.const).toEqual(parameters.properties.b.const)
  })
})

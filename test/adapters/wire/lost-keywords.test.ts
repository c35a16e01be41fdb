import { createToolRegistry, type ToolDefinition } from 'toolgate'
import { preflight } from 'toolgate/google'
import { describe, expect, it } from 'vitest'
import { WIRES } from './dialects.js'

type Json = any
const GOOGLE = ['google, openapi', 'google, json-schema'] as const
const toolOf = (parameters: Json) => [{ name: 'tool', description: 'A tool.', parameters }]
const open = (wire: string, parameters: Json) => WIRES[wire]?.(toolOf(parameters)) as Json
const inside = (schema: Json): Json => ({ type: 'object', properties: { a: schema } })

// What stands in the description, and what is called lost.
const LOST: readonly (readonly [keyword: string, schema: Json, words: string])[] = [
  ['if', { type: 'string', if: { const: 'x' }, then: { minLength: 2 } }, 'if {"const":"x"}'],
  ['then', { type: 'string', if: { const: 'x' }, then: { minLength: 2 } }, 'then {"minLength":2}'],
  ['else', { type: 'string', if: { const: 'x' }, else: false }, 'else false'],
  ['not', { type: 'string', not: { const: 'x' } }, 'not {"const":"x"}'],
  [
    'dependentSchemas',
    { type: 'object', properties: { b: {} }, dependentSchemas: { b: { required: ['c'] } } },
    'dependentSchemas {"b":{"required":["c"]}}',
  ],
  [
    'dependentRequired',
    { type: 'object', properties: { b: { type: 'string' } }, dependentRequired: { b: ['c'] } },
    'dependentRequired {"b":["c"]}',
  ],
  ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }, 'unevaluatedProperties false'],
  [
    'unevaluatedItems',
    { type: 'array', items: { type: 'string' }, unevaluatedItems: false },
    'unevaluatedItems false',
  ],
  ['contains', { type: 'array', items: {}, contains: { const: 1 } }, 'contains {"const":1}'],
  ['propertyNames', { type: 'object', propertyNames: { maxLength: 3 } }, 'propertyNames {"maxLength":3}'],
  // A schema that does not say what it accepts.
  ['not', { not: { type: 'string' } }, 'not {"type":"string"}'],
  ['if', { if: { type: 'string' }, then: { minLength: 2 } }, 'if {"type":"string"}'],
  // What two schemas say of the same thing.
  [
    'allOf',
    {
      type: 'string',
      allOf: [
        { if: { const: 'x' }, then: { minLength: 1 } },
        { if: { const: 'y' }, else: { minLength: 2 } },
      ],
    },
    'allOf [{"if":{"const":"y"},"else":{"minLength":2}}]',
  ],
  ['allOf', { type: 'string', pattern: '^a', allOf: [{ pattern: 'z$' }] }, 'allOf [{"pattern":"z$"}]'],
  [
    'not',
    { type: 'string', not: { const: 'x' }, allOf: [{ not: { const: 'y' } }] },
    'not {"anyOf":[{"const":"x"},{"const":"y"}]}',
  ],
  // What the model cannot see is written out, or named where it is long.
  [
    'not',
    { type: 'string', not: { $ref: '#/properties/a/$defs/word' }, $defs: { word: { const: 'x' } } },
    'not {"const":"x"}',
  ],
  ['not', { type: 'string', not: { enum: Array.from({ length: 99 }, (_, i) => `value ${i}`) } }, 'not …'],
  ['not', { type: 'string', not: { $ref: '#/properties/a' } }, 'not …'],
]

describe.each(GOOGLE)('what cannot be sent on the wire of %s', wire => {
  it.each(LOST)('is said in the description and named: %s of %j', (keyword, schema, words) => {
    const parameters = inside(schema)
    const { schema: sent, findings } = open(wire, parameters)
    expect(JSON.stringify(sent)).toContain(JSON.stringify(words).slice(1, -1))
    const named = { path: '#/parameters/properties/a', outcome: 'adapted', exact: false }
    const message = expect.stringContaining(keyword)
    expect(findings).toContainEqual(expect.objectContaining({ ...named, message }))
    const provider = wire === 'google, openapi' ? 'google' : 'google-json-schema'
    expect(preflight(toolOf(parameters), provider)).toEqual(findings)
  })
})

describe.each(Object.keys(WIRES))('what may not stand at the root on the wire of %s', wire => {
  it.each(['not', 'enum', 'const'])('is said in the description: %s', keyword => {
    const value = keyword === 'enum' ? [{ a: 1 }] : { a: 1 }
    const { schema, strict } = open(wire, { ...inside({ type: 'integer' }), [keyword]: value })
    expect(strict).toBe(false)
    if (Object.hasOwn(schema, keyword)) return
    expect(schema.description).toContain(`${keyword} ${JSON.stringify(value)}`)
  })
})

it.each(['openai', 'anthropic', ...GOOGLE])(
  'says more than properties of alternatives at the root on the wire of %s',
  wire => {
    const option = (name: string, rest: Json) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      ...rest,
    })
    const plain = [option('a', { required: ['a'] }), option('b', {})]
    expect(open(wire, { type: 'object', anyOf: plain }).schema.description).not.toContain('anyOf')
    const anyOf = [option('a', { minProperties: 1 }), option('b', { not: { required: ['c'] } })]
    const { schema } = open(wire, { type: 'object', anyOf })
    expect(schema.description).toContain('"not":{"required":["c"]}')
    expect(schema.description).toContain('"minProperties":1')
  },
)

it('names properties in words as they are called on the wire', () => {
  const parameters = {
    type: 'object',
    properties: { 'a b': { type: 'string' }, c: { type: 'string' } },
    dependentRequired: { 'a b': ['c', 'a b'] },
    if: { required: ['a b'], properties: { 'a b': { const: 'a b' } } },
  }
  const { schema } = open('google, openapi', parameters)
  const [wireName] = Object.keys(schema.properties)
  expect(wireName).not.toBe('a b')
  expect(schema.description).toBe(
    `(dependentRequired {"${wireName}":["c","${wireName}"]}, if {"required":["${wireName}"],"properties":{"${wireName}":{"const":"a b"}}})`,
  )
})

describe.each(Object.keys(WIRES))('conditions that stand beside each other on the wire of %s', wire => {
  // The first says what b is where a is 1, the second what it is where a is not 2.
  const conditions: Json = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    allOf: [
      { if: { properties: { a: { const: 1 } } }, then: { properties: { b: { minimum: 10 } } } },
      { if: { properties: { a: { const: 2 } } }, else: { properties: { b: { maximum: 20 } } } },
    ],
  }

  it('are never mixed into one that the tool does not have', async () => {
    const tool: ToolDefinition = {
      name: 'tool',
      description: '',
      parameters: conditions,
      validateArguments: true,
      execute: () => 'ok',
    }
    const registry = createToolRegistry({ tools: [tool] })
    const { schema } = open(wire, conditions)
    for (const [a, b] of [
      [1, 15],
      [2, 99],
      [3, 5],
      [1, 5],
      [3, 99],
    ] as const) {
      const ok = await registry.execute({ callId: `${a}-${b}`, name: 'tool', arguments: { a, b } })
      if (ok.isError || !Object.hasOwn(schema, 'if')) continue
      const sent: ToolDefinition = { ...tool, parameters: schema }
      const other = createToolRegistry({ tools: [sent] })
      expect(await other.execute({ callId: 'x', name: 'tool', arguments: { a, b } })).toMatchObject({
        isError: false,
      })
    }
  })
})

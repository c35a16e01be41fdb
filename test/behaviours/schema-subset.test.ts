/**
 * The subset of structured outputs. The lines are in docs/behaviours/schemas.md. Decided otherwise:
 * - SUB-01 the subset is for any root; `assertObjectOutputSchema` is for those who need an object.
 * - SUB-13 where no branch matches, why the closest one failed is said.
 */
import {
  assertObjectOutputSchema,
  assertSupportedOutputSchema,
  createToolRegistry,
  defineTool,
  OutputSchemaError,
  validateStructuredValue,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { hostileValues } from '../schema/hostile-values.js'

function faults(schema: unknown, assert: (schema: unknown) => void = assertSupportedOutputSchema): string[] {
  try {
    assert(schema)
  } catch (error) {
    if (error instanceof OutputSchemaError) return error.violations.map(({ message }) => message)
    throw error
  }
  return []
}

const wrong = (schema: unknown, value: unknown): string[] =>
  validateStructuredValue(schema, value).map(({ message }) => message)

describe('the subset', () => {
  it('is one for any root; an object at the root is a demand of its own (SUB-01)', () => {
    for (const schema of [{ type: 'object' }, { type: 'array' }, { type: 'string' }, {}])
      expect(faults(schema)).toEqual([])
    expect(faults({ type: 'object' }, assertObjectOutputSchema)).toEqual([])
    for (const schema of [{ type: 'array' }, {}, { oneOf: [{ type: 'object' }, { type: 'null' }] }])
      expect(faults(schema, assertObjectOutputSchema)).toEqual(['schema must have type "object" at its root'])
  })

  it.each([
    ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'].map(type => ({ type })),
    { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false },
    { type: 'array', items: { type: 'string', enum: ['a'], const: 'a' } },
    { oneOf: [{ type: 'null' }, { type: 'string' }] },
    { title: 'T', description: 'D', default: { a: 1 }, examples: [null] },
  ])('takes %j (SUB-02)', schema => {
    expect(faults(schema)).toEqual([])
  })

  it.each([
    'anyOf',
    'allOf',
    'not',
    'if',
    '$ref',
    '$defs',
    '$schema',
    'pattern',
    'minimum',
    'maxLength',
    'format',
    'uniqueItems',
    'patternProperties',
    'prefixItems',
    'nullable',
  ])('refuses %s rather than ignore it (SUB-03)', keyword => {
    for (const type of ['string', 'number', 'object', 'array'])
      expect(faults({ type, [keyword]: 1 })).toEqual([`schema.${keyword} is not supported on "${type}"`])
    expect(faults({ [keyword]: 1 })).toEqual([`schema.${keyword} is not supported without a type`])
  })

  it('has words of its own for a list of types (SUB-03)', () => {
    expect(faults({ type: ['string', 'null'] })).toEqual([
      'schema.type must be a single type; write a union of types with oneOf',
    ])
  })

  it('lists everything that is wrong, each with its path (SUB-04)', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', format: 'date' }, 'b c': { type: 'array', items: { not: {} } } },
      required: ['d'],
      additionalProperties: {},
    }
    expect(faults(schema)).toEqual([
      'schema.additionalProperties must be true or false, got an object',
      'schema.required names "d", which is not declared',
      'schema.properties.a.format is not supported on "string"',
      'schema.properties["b c"].items.not is not supported without a type',
    ])
  })

  it.each([
    [{ type: 'object', items: {} }, 'schema.items is not supported on "object"'],
    [{ type: 'array', properties: {} }, 'schema.properties is not supported on "array"'],
    [{ type: 'object', enum: [{}] }, 'schema.enum is not supported on "object"'],
    [{ type: 'array', const: [] }, 'schema.const is not supported on "array"'],
    [{ type: 'string', required: [] }, 'schema.required is not supported on "string"'],
    [{ oneOf: [{}, {}], type: 'null' }, 'schema.type is not supported beside oneOf'],
    [{ oneOf: [{}, {}], properties: {} }, 'schema.properties is not supported beside oneOf'],
    [{ enum: ['a'] }, 'schema.enum is not supported without a type'],
    [{ required: ['a'] }, 'schema.required is not supported without a type'],
  ])('refuses %j, where a keyword is misplaced (SUB-05)', (schema, fault) => {
    expect(faults(schema)).toEqual([fault])
  })

  it('has required names that are declared, by the schema itself (SUB-06)', () => {
    const inherited = { type: 'object', properties: {}, required: ['toString'] }
    expect(faults(inherited)).toEqual(['schema.required names "toString", which is not declared'])
    const own = { type: 'object', properties: { toString: { type: 'string' } }, required: ['toString'] }
    expect(faults(own)).toEqual([])
    expect(wrong(own, {})).toEqual(['missing required property value.toString'])
    expect(faults({ type: 'object', required: 'a' })).toEqual([
      'schema.required must be an array of property names',
    ])
  })

  it('reads own keywords only (SUB-07)', () => {
    // A schema with a prototype of its own is no plain object; what every object inherits counts nowhere.
    expect(faults(Object.create({ type: 'string' }))).toHaveLength(1)
    const { prototype } = Object as unknown as { prototype: Record<string, unknown> }
    prototype.minimum = 5
    prototype.additionalProperties = false
    prototype.required = ['a']
    try {
      expect(faults({ type: 'object' })).toEqual([])
      expect(wrong({ type: 'object' }, { b: 1 })).toEqual([])
      expect(wrong({ type: 'number' }, 1)).toEqual([])
    } finally {
      delete prototype.minimum
      delete prototype.additionalProperties
      delete prototype.required
    }
  })
})

describe('values', () => {
  it('may be any lossless JSON where there is no type (SUB-08)', () => {
    for (const value of [null, 1, 'a', [[]], { a: { b: null } }]) expect(wrong({}, value)).toEqual([])
    expect(wrong({}, undefined)).toEqual(['value must be lossless JSON, got undefined'])
    expect(wrong({ description: 'D' }, [-0])).toEqual(['value[0] is -0, which JSON cannot carry'])
  })

  it('may have more than is declared, unless the schema is closed (SUB-09)', () => {
    const schema = { type: 'object', properties: { a: { type: 'null' } } }
    expect(wrong(schema, { a: null, b: 1 })).toEqual([])
    expect(wrong({ ...schema, additionalProperties: true }, { b: 1 })).toEqual([])
    expect(wrong({ ...schema, additionalProperties: false }, { b: 1 })).toEqual([
      'value.b is not a declared property; declared: a',
    ])
  })

  it.each(hostileValues())('are judged whatever they do: %s (SUB-10)', (_, value) => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
    expect(wrong(schema, value).length).toBeGreaterThan(0)
    const among = validateStructuredValue({ type: 'array', items: schema }, [{ text: 'a' }, value])
    expect(among.length).toBeGreaterThan(0)
  })

  it('are not judged by a schema outside the subset: that throws (SUB-10)', () => {
    expect(() => validateStructuredValue({ type: 'tuple' }, 1)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }),
    )
  })

  it.each([
    [{ type: 'string' }, 1, 'value must be a string, got 1'],
    [{ type: 'number' }, '1', 'value must be a number, got "1"'],
    [{ type: 'number' }, Number.NaN, 'value must be a finite JSON number, got NaN'],
    [{ type: 'number' }, -0, 'value must be a finite JSON number, got -0'],
    [{ type: 'integer' }, 1.5, 'value must be an integer, got 1.5'],
    [{ type: 'boolean' }, null, 'value must be a boolean, got null'],
    [{ type: 'null' }, 0, 'value must be null, got 0'],
    [{ type: 'object' }, [], 'value must be an object, got an array'],
    [{ type: 'array' }, {}, 'value must be an array, got an object'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'value must be one of ["a","b"], got "c"'],
    [{ type: 'string', const: 'a' }, 'b', 'value must be "a", got "b"'],
    [
      { oneOf: [{}, { type: 'string' }] },
      'a',
      'value must match exactly one branch, but 2 of 2 match (1 and 2)',
    ],
    [
      { type: 'object', additionalProperties: false },
      { a: 1 },
      'value.a is not a declared property: the object must be empty',
    ],
    [{ type: 'object' }, new Date(0), 'value must be a plain object, got another kind'],
    [{ type: 'array' }, [undefined], 'value[0] is undefined, which JSON cannot carry'],
  ])('that do not match %j are told so in its words (SUB-11)', (schema, value, message) => {
    expect(wrong(schema, value)).toEqual([message])
  })

  it('that are sparse lists are refused (SUB-11)', () => {
    expect(wrong({ type: 'array' }, [1, , 2])).toHaveLength(1)
    expect(wrong({ type: 'array' }, Object.assign([1], { more: 1 }))).toHaveLength(1)
  })

  it('like 1.0 are integers, so that number or integer is ambiguous (SUB-12)', () => {
    const either = { oneOf: [{ type: 'number' }, { type: 'integer' }] }
    expect(wrong({ type: 'integer' }, 1.0)).toEqual([])
    expect(wrong(either, 1.5)).toEqual([])
    expect(wrong(either, 1)).toEqual(['value must match exactly one branch, but 2 of 2 match (1 and 2)'])
  })

  it('that match no branch are told how many match and why the closest failed (SUB-13)', () => {
    const branch = (kind: string, name: string) => ({
      type: 'object',
      properties: { kind: { type: 'string', const: kind }, [name]: { type: 'number' } },
      required: ['kind', name],
      additionalProperties: false,
    })
    const schema = { oneOf: [branch('circle', 'radius'), branch('square', 'side'), { type: 'null' }] }
    expect(wrong(schema, { kind: 'square', side: 'x' })).toEqual([
      'value must match exactly one branch, but 0 of 3 match; closest is branch 2: value.side must be a number, got "x"',
    ])
    expect(wrong({ oneOf: [{ type: 'string' }, { type: 'null' }] }, 1)).toEqual([
      'value must match exactly one branch, but 0 of 2 match: must be a string or null, got 1',
    ])
  })

  it('of a tool are held to the same: one vocabulary for outputs in the language (SUB-01)', async () => {
    const registry = createToolRegistry()
    registry.register(
      defineTool({
        name: 'tool',
        description: 'A tool.',
        parameters: {},
        output: { schema: { oneOf: [{ type: 'string' }, { type: 'null' }] }, render: () => [] },
        execute: () => 1 as never,
      }),
    )
    expect(await registry.execute({ callId: '1', name: 'tool' })).toMatchObject({
      error: {
        code: 'INVALID_TOOL_OUTPUT',
        message:
          'Tool "tool" returned an invalid result: value must match exactly one branch, but 0 of 2 match: must be a string or null, got 1',
      },
    })
  })
})

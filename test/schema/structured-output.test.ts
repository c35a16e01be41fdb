import { describe, expect, test } from 'vitest'
import { OutputSchemaError } from '../../src/errors/errors.js'
import {
  assertObjectOutputSchema,
  assertSupportedOutputSchema,
  validateStructuredValue,
} from '../../src/schema/structured-output.js'
import { hostileValues } from './hostile-values.js'

function faults(schema: unknown): string[] {
  try {
    assertSupportedOutputSchema(schema)
  } catch (error) {
    if (error instanceof OutputSchemaError) return error.violations.map(({ message }) => message)
    throw error
  }
  return []
}

const messages = (schema: unknown, value: unknown): string[] =>
  validateStructuredValue(schema, value).map(({ message }) => message)

describe('the structured-output subset', () => {
  test.each([
    {},
    { description: 'anything' },
    { type: 'string', enum: ['a'] },
    { type: 'object' },
    { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
    { type: 'array', items: { oneOf: [{ type: 'null' }, { type: 'boolean', const: true }] } },
  ])('takes %j', schema => {
    expect(faults(schema)).toEqual([])
  })

  test.each([
    [{ anyOf: [{}] }, 'schema.anyOf is not supported without a type'],
    [{ $ref: '#' }, 'schema.$ref is not supported without a type'],
    [{ type: 'string', pattern: 'a' }, 'schema.pattern is not supported on "string"'],
    [{ type: 'number', minimum: 0 }, 'schema.minimum is not supported on "number"'],
    [{ type: ['string', 'null'] }, 'schema.type must be a single type; write a union of types with oneOf'],
    [{ type: 'json' }, expect.stringContaining('schema.type must be one of string')],
    [{ enum: ['a'] }, 'schema.enum is not supported without a type'],
    [{ type: 'object', items: {} }, 'schema.items is not supported on "object"'],
    [{ type: 'object', enum: [{}] }, 'schema.enum is not supported on "object"'],
    [{ oneOf: [{}, {}], items: {} }, 'schema.items is not supported beside oneOf'],
    [
      { type: 'object', additionalProperties: {} },
      'schema.additionalProperties must be true or false, got an object',
    ],
    [{ type: 'object', required: ['toString'] }, 'schema.required names "toString", which is not declared'],
    [{ type: 'object', required: 'a' }, 'schema.required must be an array of property names'],
    [{ type: 'object', properties: [] }, 'schema.properties must be an object of properties'],
    [{ type: 'array', items: true }, 'schema.items must be a schema object, got true'],
    [null, 'schema must be a schema object, got null'],
  ])('refuses %j', (schema, message) => {
    expect(faults(schema)).toEqual([message])
  })

  test('reports every violation with its path', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', format: 'date' }, b: { type: 'array', items: { not: {} } } },
      required: ['c'],
    }
    expect(faults(schema)).toEqual([
      'schema.required names "c", which is not declared',
      'schema.properties.a.format is not supported on "string"',
      'schema.properties.b.items.not is not supported without a type',
    ])
  })

  test('reads own keywords only', () => {
    expect(faults(Object.assign(Object.create({ anyOf: [] }), { type: 'string' }))).not.toEqual([])
  })

  test('an object root is a further demand', () => {
    expect(() => assertObjectOutputSchema({ type: 'object' })).not.toThrow()
    expect(() => assertObjectOutputSchema({ type: 'array' })).toThrow(
      'schema must have type "object" at its root',
    )
    expect(() => assertObjectOutputSchema({ oneOf: [{ type: 'object' }, { type: 'object' }] })).toThrow(
      OutputSchemaError,
    )
  })
})

describe('validateStructuredValue', () => {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string' }, rows: { type: 'array', items: { type: 'integer' } } },
    required: ['text'],
  }

  test('objects are open unless closed, and paths start with value', () => {
    expect(messages(schema, { text: 'a', more: 1, rows: [1.0] })).toEqual([])
    expect(messages(schema, { rows: [1, 'x'] })).toEqual([
      'missing required property value.text',
      'value.rows[1] must be an integer, got "x"',
    ])
    expect(messages({ ...schema, additionalProperties: false }, { text: 'a', more: 1 })).toEqual([
      'value.more is not a declared property; declared: text, rows',
    ])
  })

  test('a schema without a type takes any lossless JSON', () => {
    expect(messages({}, { a: [null] })).toEqual([])
    expect(messages({}, { a: [undefined] })).toEqual(['value.a[0] is undefined, which JSON cannot carry'])
    expect(messages({}, Number.NaN)).toEqual(['value must be lossless JSON, got NaN'])
  })

  test('arrays must be dense and plain', () => {
    expect(messages({ type: 'array' }, [1, , 2])).toHaveLength(1)
    expect(messages({ type: 'array' }, Object.assign([1], { extra: 1 }))).toHaveLength(1)
  })

  test.each(hostileValues())('is total for %s', (_, value) => {
    expect(validateStructuredValue(schema, value).length).toBeGreaterThan(0)
  })

  test('throws for a schema outside the subset', () => {
    expect(() => validateStructuredValue({ type: 'tuple' }, 1)).toThrow(OutputSchemaError)
  })
})

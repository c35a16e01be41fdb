import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/json/json-value.js'
import { defaultValidator } from '../../src/schema/default-validator.js'
import { explainingCheck, interpretOnly } from '../../src/schema/explaining-check.js'

/** What both validators say, which is the same. */
async function messages(schema: JsonObject, value: JsonValue, root = 'arguments'): Promise<string[]> {
  const compiled = await defaultValidator().compile(schema, root)(value)
  const interpreted = explainingCheck(schema, root, interpretOnly)(value)
  expect(interpreted).toEqual(compiled)
  return compiled.map(({ message }) => message)
}

const bounded = (keywords: JsonObject): JsonObject => ({ type: 'object', properties: { x: keywords } })

describe('the default validator', () => {
  test('answers later at first, at once from then on', async () => {
    const check = defaultValidator().compile({ type: 'string' }, 'value')
    await check('a')
    expect(check('a')).toEqual([])
    expect(check(5)).toEqual([{ path: 'value', message: 'value must be a string, got 5' }])
    expect(defaultValidator().compile({ type: 'null' }, 'value')(null)).toEqual([])
  })

  test('numbers are decimals', async () => {
    expect(await messages(bounded({ multipleOf: 0.1 }), { x: 0.3 })).toEqual([])
  })

  test('own properties alone count', async () => {
    const schema = { properties: { toString: { type: 'string' }, constructor: { type: 'string' } } }
    expect(await messages(schema as unknown as JsonObject, {})).toEqual([])
  })

  test('a property named __proto__ is one like any other', async () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}')
    expect(await messages(schema, JSON.parse('{"__proto__":1}'), 'value')).toEqual([
      'value.__proto__ must be a string, got 1',
    ])
    expect(await messages(schema, JSON.parse('{"__proto__":"a"}'))).toEqual([])
  })

  test('patterns with needless escapes are read as they are meant', async () => {
    const schema = bounded({ type: 'string', pattern: '^[\\w\\-\\.]+\\@\\_$' })
    expect(await messages(schema, { x: 'a-b.c@_' })).toEqual([])
    expect(await messages(schema, { x: 'a b@_' })).toHaveLength(1)
  })

  test('two schemas with the same identifier do not meet', async () => {
    const schema = (type: string): JsonObject => ({
      $id: 'https://example.com/a',
      $ref: '#/$defs/t',
      $defs: { t: { type } },
    })
    expect(await messages(schema('string'), 'a')).toEqual([])
    expect(await messages(schema('number'), 1)).toEqual([])
  })

  test('annotations of other languages mean nothing', async () => {
    const schema = { type: 'string', id: 'x', $async: true, discriminator: {}, $comment: 1 }
    expect(await messages(schema as unknown as JsonObject, null, 'value')).toEqual([
      'value must be a string, got null',
    ])
  })
})

describe('nullable, of OpenAPI,', () => {
  const nullable = (keywords: JsonObject): JsonObject => bounded({ nullable: true, ...keywords })

  test.each<JsonObject>([
    { type: 'string' },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    { type: ['string', 'null'] },
    { type: 'string', enum: ['a', 'b'] },
    { enum: ['a', null] },
    { type: 'array', items: { type: 'string' }, minItems: 1 },
  ])('admits null beside %j', async keywords => {
    expect(await messages(nullable(keywords), { x: null })).toEqual([])
    expect(await messages(nullable(keywords), { x: 5 })).toHaveLength(1)
  })

  test('admits nothing where it is not true, nor beside a reference of draft-07', async () => {
    expect(await messages(nullable({ type: 'string', nullable: false }), { x: null })).toHaveLength(1)
    expect(await messages(nullable({ type: 'string', nullable: 'true' }), { x: null })).toHaveLength(1)
    const referring = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { x: { $ref: '#/definitions/a', nullable: true, type: 'string' } },
      definitions: { a: { type: 'string' } },
    }
    expect(await messages(referring, { x: null })).toHaveLength(1)
  })

  test('does not let null past what stands above', async () => {
    const schema = { type: 'string', allOf: [{ type: 'string', nullable: true }] }
    expect(await messages(schema, null, 'value')).toHaveLength(1)
  })
})

describe('what cannot be used', () => {
  test.each([
    [
      'nested too deeply',
      (() => {
        let schema: JsonObject = { type: 'string' }
        for (let i = 0; i < 20_000; i++) schema = { items: schema }
        return schema
      })(),
    ],
    ['with a pattern that does not compile', { pattern: '(' }],
    ['with a keyword of the wrong shape', { properties: { a: 5 } }],
    ['with lists that are none', { anyOf: 5, required: 5, enum: 5 }],
  ])('is a violation and no crash: a schema %s', async (_, schema) => {
    const found = await defaultValidator().compile(schema as unknown as JsonObject, 'value')({ a: 1 })
    expect(found).toHaveLength(1)
    expect(found[0]?.message).toMatch(/^value could not be checked: /)
  })

  test('is a violation and no crash: a value nested too deeply for the stack', async () => {
    let value: JsonValue = 'x'
    for (let i = 0; i < 50_000; i++) value = [value]
    const found = await defaultValidator().compile({ items: { $ref: '#' } }, 'value')(value)
    expect(found).toEqual([{ path: 'value', message: 'value could not be checked: it is nested too deeply' }])
  })
})

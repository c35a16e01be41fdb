import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/json/json-value.js'
import { checkJsonSchema } from '../../src/schema/check-json-schema.js'
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

  test.each([
    [{ type: 'string' }, 5, 'x must be a string, got 5'],
    [{ type: ['string', 'null'] }, {}, 'x must be a string or null, got an object'],
    [{ type: 'integer' }, 1.5, 'x must be an integer, got 1.5'],
    [{ enum: ['a', 1, null] }, 'b', 'x must be one of ["a",1,null], got "b"'],
    [{ type: 'string', enum: ['a', 'b'] }, null, 'x must be one of ["a","b"], got null'],
    [{ const: { a: 1 } }, { a: 2 }, 'x must be {"a":1}, got an object'],
    [{ minimum: 1 }, 0, 'x must be at least 1, got 0'],
    [{ maximum: 1 }, 2, 'x must be at most 1, got 2'],
    [{ exclusiveMinimum: 1 }, 1, 'x must be more than 1, got 1'],
    [{ exclusiveMaximum: 1 }, 1, 'x must be less than 1, got 1'],
    [{ multipleOf: 0.5 }, 0.75, 'x must be a multiple of 0.5, got 0.75'],
    [{ minLength: 2 }, '😀', 'x must have at least 2 characters, has 1'],
    [{ maxLength: 1 }, 'ab', 'x must have at most 1 character, has 2'],
    [{ pattern: '^a+$' }, 'b', 'x must match the pattern ^a+$, got "b"'],
    [{ minItems: 1 }, [], 'x must have at least 1 item, has 0'],
    [{ maxItems: 1 }, [1, 2], 'x must have at most 1 item, has 2'],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'x must hold no item twice'],
    [{ minProperties: 1 }, {}, 'x must have at least 1 property, has 0'],
    [{ maxProperties: 0 }, { a: 1 }, 'x must have at most 0 properties, has 1'],
    [{ contains: { type: 'null' } }, [1, 'a'], 'x must hold an item that matches "contains"'],
    [
      { contains: { type: 'null' }, minContains: 2 },
      [null, 'a'],
      'x must hold at least 2 items that match "contains"',
    ],
    [
      { contains: { type: 'null' }, maxContains: 1 },
      [null, null],
      'x must hold at most 1 item that matches "contains"',
    ],
    [{ not: { type: 'null' } }, null, 'x must not match the schema under "not"'],
    [{ required: ['y'] }, {}, 'missing required property x.y'],
    [{ required: ['toString'] }, {}, 'missing required property x.toString'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'missing required property x.b'],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, 'missing required property x.b'],
    [{ dependentSchemas: { a: { properties: { b: false } } } }, { a: 1, b: 1 }, 'x.b is not allowed'],
    [{ additionalProperties: false }, { y: 1 }, 'x.y is not a declared property'],
    [
      { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] },
      { a: 1, y: 1 },
      'x.y is not a declared property',
    ],
    [{ additionalProperties: { type: 'null' } }, { y: 1 }, 'x.y must be null, got 1'],
    [{ patternProperties: { '^y': { type: 'null' } } }, { y: 1 }, 'x.y must be null, got 1'],
    [
      { propertyNames: { pattern: '^a' } },
      { b: 1 },
      'x: the property name "b" must match the pattern ^a, got "b"',
    ],
    [{ prefixItems: [{ type: 'null' }], items: false }, [null, 1], 'x[1] is one item too many'],
    [{ prefixItems: [{ type: 'null' }] }, [1], 'x[0] must be null, got 1'],
    [
      { items: { type: 'object', properties: { 'a/b': { type: 'null' } } } },
      [{ 'a/b': 1 }],
      'x[0]["a/b"] must be null, got 1',
    ],
    [
      { if: { type: 'string' }, then: { minLength: 1 }, else: { type: 'null' } },
      '',
      'x must have at least 1 character, has 0',
    ],
    [{ if: { type: 'string' }, then: { minLength: 1 }, else: { type: 'null' } }, 5, 'x must be null, got 5'],
    [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', 'x must have at least 2 characters, has 1'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, 'x must be a string or null, got 5'],
    [
      { anyOf: [false, { type: 'null' }] },
      5,
      'x must match a branch, but 0 of 2 match; closest is branch 1: x is not allowed',
    ],
    [
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      1,
      'x must match exactly one branch, but 2 of 2 match (1 and 2)',
    ],
    [
      {
        anyOf: [
          { type: 'object', properties: { k: { const: 'a' } }, required: ['k', 'v'] },
          {
            type: 'object',
            properties: { k: { const: 'b' }, w: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
          },
        ],
      },
      { k: 'b', w: 1 },
      'x must match a branch, but 0 of 2 match; closest is branch 2: x.w must be null or a string, got 1',
    ],
  ])('says in the same words what %j has against %j', async (keywords, value, message) => {
    const schema = bounded(keywords as unknown as JsonObject)
    expect(checkJsonSchema(schema)).toEqual([])
    expect(await messages(schema, { x: value as JsonValue })).toEqual([message])
  })

  test('reports several faults at once, and says when there are more', async () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { b: { type: 'string' }, c: { minimum: 1 } },
    }
    expect(await messages(schema, { b: 5, c: 0 })).toEqual([
      'missing required property a',
      'b must be a string, got 5',
      'c must be at least 1, got 0',
    ])
    const many = await messages(
      { items: { type: 'null' } },
      Array.from({ length: 5_000 }, () => 1),
      'value',
    )
    expect(many).toHaveLength(11)
    expect(many.at(-1)).toBe('and more: these are the first 10 problems')
  })

  test('explains large values by what is met first', async () => {
    const large = Array.from({ length: 300_000 }, () => 1)
    expect(await messages({ items: { type: 'null' } }, large, 'value')).toEqual([
      'value[0] must be null, got 1',
    ])
  })

  test('format annotates', async () => {
    expect(await messages(bounded({ type: 'string', format: 'email' }), { x: 'no' })).toEqual([])
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

  test('annotations of other languages mean nothing', async () => {
    const schema = { type: 'string', nullable: true, id: 'x', $async: true, discriminator: {}, $comment: 1 }
    expect(await messages(schema as unknown as JsonObject, null, 'value')).toEqual([
      'value must be a string, got null',
    ])
  })
})

describe('drafts', () => {
  const tuple = { items: [{ type: 'string' }], additionalItems: false }

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
  ])('draft-07 is %s', async $schema => {
    const schema = { $schema, ...tuple }
    expect(checkJsonSchema(schema)).toEqual([])
    expect(await messages(schema, ['a', 1], 'value')).toEqual(['value[1] is one item too many'])
    expect(await messages({ $schema, prefixItems: [false] }, [1])).toEqual([])
  })

  test.each([
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft/2020-12/schema#',
    undefined,
  ])('2020-12 is %s', async $schema => {
    const schema = {
      ...($schema !== undefined && { $schema }),
      prefixItems: [{ type: 'string' }],
      items: false,
    }
    expect(checkJsonSchema(schema)).toEqual([])
    expect(await messages(schema, ['a', 1], 'value')).toEqual(['value[1] is one item too many'])
  })

  test('in draft-07 a reference overrides what stands beside it; in 2020-12 both count', async () => {
    const schema = { $ref: '#/definitions/text', minLength: 3, definitions: { text: { type: 'string' } } }
    expect(await messages({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }, 'a')).toEqual([])
    expect(await messages(schema, 'a', 'value')).toEqual(['value must have at least 3 characters, has 1'])
  })

  test('others are refused', async () => {
    const schema = { $schema: 'http://json-schema.org/draft-04/schema#' }
    expect(checkJsonSchema(schema)).toEqual([
      {
        path: 'schema.$schema',
        message:
          'schema.$schema is "http://json-schema.org/draft-04/schema#"; JSON Schema 2020-12 and draft-07 are supported',
      },
    ])
    expect(await messages(schema, 1)).toEqual([expect.stringContaining('its schema cannot be used')])
  })
})

describe('references', () => {
  const odd = 'a/b~c %25"{}[]<>^`|é'
  const pointer = odd.replaceAll('~', '~0').replaceAll('/', '~1')

  test.each([
    ['a definition', { $ref: '#/$defs/text', $defs: { text: { type: 'string' } } }],
    ['old definitions', { $ref: '#/definitions/text', definitions: { text: { type: 'string' } } }],
    [
      'an encoded pointer',
      { $ref: `#/$defs/${encodeURIComponent(pointer)}`, $defs: { [odd]: { type: 'string' } } },
    ],
    [
      'a reference of a reference',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string' } } },
    ],
    ['an anchor', { $ref: '#text', $defs: { a: { $anchor: 'text', type: 'string' } } }],
    ['a dynamic anchor', { $dynamicRef: '#text', $defs: { a: { $dynamicAnchor: 'text', type: 'string' } } }],
    [
      'an identifier',
      { $id: 'https://example.com/a/b', $ref: 'text', $defs: { a: { $id: 'text', type: 'string' } } },
    ],
    [
      'an identifier of its own',
      { $id: 'urn:example:a', $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
    ],
    [
      'an anchor of another resource',
      {
        $ref: 'other#text',
        $defs: { a: { $id: 'other', $defs: { b: { $anchor: 'text', type: 'string' } } } },
      },
    ],
    [
      'a keyword of its own making',
      { $ref: '#/components/schemas/Text', components: { schemas: { Text: { type: 'string' } } } },
    ],
    [
      'a property',
      {
        allOf: [{ $ref: '#/$defs/o/properties/a' }],
        $defs: { o: { properties: { a: { type: 'string' } } } },
      },
    ],
    [
      'an item',
      { $ref: '#/$defs/t/prefixItems/1', $defs: { t: { prefixItems: [true, { type: 'string' }] } } },
    ],
  ])('lead to %s', async (_, schema) => {
    expect(checkJsonSchema(schema as unknown as JsonObject)).toEqual([])
    expect(await messages(schema as unknown as JsonObject, 'a')).toEqual([])
    expect(await messages(schema as unknown as JsonObject, 5, 'value')).toEqual([
      'value must be a string, got 5',
    ])
  })

  test('may lead back to the root', async () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    }
    expect(await messages(tree, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual([
      'missing required property children[0].children[0].name',
    ])
  })

  test('may lead to a yes or no', async () => {
    const schema = { properties: { a: { $ref: '#/$defs/no' } }, $defs: { no: false } }
    expect(checkJsonSchema(schema)).toEqual([])
    expect(await messages(schema, { a: 1 })).toHaveLength(1)
    expect(await messages(schema, {})).toEqual([])
  })

  test.each([
    ['#/$defs/none', {}],
    ['#none', {}],
    ['https://example.com/schema', {}],
    ['#/$defs/toString', { $defs: {} }],
    ['#/list/length', { list: [] }],
    ['http://[', {}],
  ])('that lead nowhere are named: %s', async (reference, rest) => {
    const schema = { properties: { a: { $ref: reference } }, ...rest } as JsonObject
    expect(checkJsonSchema(schema).at(-1)).toEqual({
      path: 'schema.properties.a.$ref',
      message: `schema.properties.a.$ref refers to ${JSON.stringify(reference)}, which is not in this schema`,
    })
    expect(await messages(schema, { a: 1 })).toEqual([
      `arguments could not be checked: its schema cannot be used: it refers to "${reference}", which is not in it`,
    ])
  })

  test('with the same identifier in two schemas do not meet', async () => {
    const schema = (type: string): JsonObject => ({
      $id: 'https://example.com/a',
      $ref: '#/$defs/t',
      $defs: { t: { type } },
    })
    expect(await messages(schema('string'), 'a')).toEqual([])
    expect(await messages(schema('number'), 1)).toEqual([])
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

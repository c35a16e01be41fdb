import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/json/json-value.js'
import { checkJsonSchema } from '../../src/schema/check-json-schema.js'

const messages = (schema: unknown): string[] =>
  checkJsonSchema(schema as JsonObject).map(({ message }) => message)

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

describe('checkJsonSchema', () => {
  test.each([
    [{ type: 'strin' }, 'schema.type must be a JSON type or a list of them, got "strin"'],
    [{ type: ['string', 5] }, 'schema.type must be a JSON type or a list of them, got 5'],
    [{ type: [] }, 'schema.type must not be an empty list'],
    [{ properties: [] }, 'schema.properties must be a map of schemas, got an array'],
    [{ properties: { a: 'string' } }, 'schema.properties.a must be a schema, got "string"'],
    [{ properties: { a: null } }, 'schema.properties.a must be a schema, got null'],
    [{ required: 'a' }, 'schema.required must be an array of property names, got "a"'],
    [{ required: [1] }, 'schema.required must be an array of property names, got an array'],
    [{ required: true }, 'schema.required must be an array of property names, got true'],
    [{ enum: 'a' }, 'schema.enum must be an array, got "a"'],
    [{ minimum: '1' }, 'schema.minimum must be a number, got "1"'],
    [{ exclusiveMinimum: true }, 'schema.exclusiveMinimum must be a number, got true'],
    [{ multipleOf: 0 }, 'schema.multipleOf must be a number above 0, got 0'],
    [{ minLength: -1 }, 'schema.minLength must be a whole number of at least 0, got -1'],
    [{ maxItems: 1.5 }, 'schema.maxItems must be a whole number of at least 0, got 1.5'],
    [{ uniqueItems: 1 }, 'schema.uniqueItems must be true or false, got 1'],
    [{ pattern: '(' }, 'schema.pattern must be a regular expression that compiles, got "("'],
    [{ pattern: 5 }, 'schema.pattern must be a regular expression, got 5'],
    [
      { patternProperties: { '(': {} } },
      'schema.patternProperties["("] is not a regular expression that compiles',
    ],
    [{ anyOf: [] }, 'schema.anyOf must be a non-empty array of schemas, got an array'],
    [{ allOf: {} }, 'schema.allOf must be a non-empty array of schemas, got an object'],
    [{ oneOf: [{}, 5] }, 'schema.oneOf[1] must be a schema, got 5'],
    [{ items: [{}] }, 'schema.items must be a schema, got an array'],
    [
      { dependentRequired: { a: 'b' } },
      'schema.dependentRequired must be a map of arrays of names, got an object',
    ],
    [{ $ref: 5 }, 'schema.$ref must be a string, got 5'],
    [{ $id: 5 }, 'schema.$id must be a string, got 5'],
    [{ $schema: 5 }, 'schema.$schema is 5; JSON Schema 2020-12 and draft-07 are supported'],
    [{ $defs: { a: { type: 'x' } } }, 'schema.$defs.a.type must be a JSON type or a list of them, got "x"'],
    [
      { $ref: '#/x/y', x: { y: { type: 'x' } } },
      'schema.x.y.type must be a JSON type or a list of them, got "x"',
    ],
    [
      { $schema: DRAFT_07, items: [{ type: 'x' }] },
      'schema.items[0].type must be a JSON type or a list of them, got "x"',
    ],
    [{ $schema: DRAFT_07, dependencies: { a: [], b: 5 } }, 'schema.dependencies.b must be a schema, got 5'],
  ])('refuses %j', (schema, message) => {
    expect(messages(schema)).toEqual([message])
  })

  test.each([
    {},
    { properties: { type: { type: 'string' }, required: { enum: [1] }, $ref: { type: 'string' } } },
    {
      const: { $ref: '#/none' },
      default: { type: 'x' },
      examples: [{ minimum: 'x' }],
      enum: [{ $ref: '#/none' }],
    },
    { 'x-order': ['a'], nullable: true, format: 'anything', $vocabulary: {}, $comment: 'a' },
    { type: ['string', 'null'], items: true, additionalProperties: false, not: {} },
    { $schema: DRAFT_07, $id: '#here', items: { $ref: '#here' } },
    { pattern: '^[\\w\\-]+\\@$' },
  ])('takes %j', schema => {
    expect(messages(schema)).toEqual([])
  })

  test('reports everything, in the order of the schema', () => {
    expect(
      messages({ type: 'x', properties: { a: { minimum: 'y' }, b: { $ref: '#/z' } }, required: 1 }),
    ).toEqual([
      'schema.type must be a JSON type or a list of them, got "x"',
      'schema.required must be an array of property names, got 1',
      'schema.properties.a.minimum must be a number, got "y"',
      'schema.properties.b.$ref refers to "#/z", which is not in this schema',
    ])
  })

  test.each<[JsonObject, string]>([
    [{ $ref: '#' }, 'schema'],
    [{ properties: { a: { allOf: [{ $ref: '#/properties/a' }] } } }, 'schema.properties.a.allOf[0]'],
    [
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [{}, { $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
      'schema.$defs.b.not',
    ],
    [{ dependentSchemas: { a: { $ref: '#' } } }, 'schema.dependentSchemas.a'],
    [{ $schema: DRAFT_07, dependencies: { a: { $ref: '#' } } }, 'schema.dependencies.a'],
    [{ $dynamicAnchor: 'a', anyOf: [{ $dynamicRef: '#a' }] }, 'schema.anyOf[0]'],
    [
      {
        $ref: 'list',
        $defs: {
          list: {
            $id: 'list',
            allOf: [{ $dynamicRef: '#item' }],
            $defs: { any: { $dynamicAnchor: 'item' } },
          },
          item: { $dynamicAnchor: 'item', $ref: 'list' },
        },
      },
      'schema.$defs.item',
    ],
  ])('refuses %j, with which checking would never end', (schema, path) => {
    expect(messages(schema)).toEqual([`${path} leads back to itself: checking would never end`])
  })

  test.each<JsonObject>([
    {
      properties: { next: { $ref: '#' } },
      anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
      $defs: { a: {} },
    },
    {
      $schema: DRAFT_07,
      properties: { a: { $ref: '#/definitions/b', allOf: [{ $ref: '#/properties/a' }] } },
      definitions: { b: {} },
    },
    { properties: { a: true }, $defs: { unused: { $ref: '#/$defs/unused' } } },
    { $schema: DRAFT_07, $dynamicAnchor: 'a', anyOf: [{ $dynamicRef: '#a' }] },
    { enum: [] },
  ])('takes %j, which ends', schema => {
    expect(messages(schema)).toEqual([])
  })

  test('refuses more dynamic scopes than are worth telling apart', () => {
    // Each step binds a name in one of two ways, so that the ways to come to the last step double with each.
    const steps = 12
    const $defs: Record<string, JsonObject> = {}
    for (let i = 0; i < steps; i++)
      for (const side of ['a', 'b'])
        $defs[`${side}${i}`] = {
          $id: `${side}${i}`,
          $dynamicAnchor: `name${i}`,
          properties: { next: { anyOf: [{ $ref: `a${i + 1}` }, { $ref: `b${i + 1}` }] } },
        }
    const names = Array.from({ length: steps }, (_, i) => ({ $dynamicRef: `a${i}#name${i}` }))
    for (const side of ['a', 'b'])
      $defs[`${side}${steps}`] = { $id: `${side}${steps}`, items: { anyOf: names } }
    expect(messages({ $ref: 'a0', $defs })).toEqual([
      'schema cannot be used: it has too many dynamic anchors to tell apart',
    ])
  })

  test('does not recurse', () => {
    let schema: JsonObject = { type: 'x' }
    for (let i = 0; i < 20_000; i++) schema = { items: schema }
    expect(messages(schema)).toHaveLength(1)
  })
})

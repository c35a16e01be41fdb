import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/json/json-value.js'
import { snapshotJson } from '../../src/json/snapshot-json.js'
import { checkJsonSchema } from '../../src/schema/check-json-schema.js'
import { compileOutputSchema } from '../../src/schema/compile-output-schema.js'
import { defaultValidator } from '../../src/schema/default-validator.js'
import { explainingCheck, interpretOnly } from '../../src/schema/explaining-check.js'
import type { ValueSpec } from '../../src/schema/schema-spec.js'
import { assertSupportedOutputSchema, validateStructuredValue } from '../../src/schema/structured-output.js'

const names = fc.constantFrom('a', 'b', 'c', 'toString', 'a b', '0')
const scalars = fc.constantFrom<JsonValue>('', 'x', 'y', 0, 1, 1.5, -3, true, false, null)

const values = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const specs = fc.letrec<{ node: ValueSpec; object: ValueSpec }>(tie => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<ValueSpec>(
      { type: 'string' },
      { type: 'number' },
      { type: 'integer' },
      { type: 'boolean' },
      { type: 'null' },
      { type: 'json' },
      { type: 'array' },
      { type: 'string', enum: ['x', 'y'] },
      { type: 'integer', const: 1 },
    ),
    tie('object'),
    fc.record({ type: fc.constant('array' as const), items: tie('node') }),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map(oneOf => ({ oneOf }) as unknown as ValueSpec),
  ),
  object: fc
    .record({
      additionalProperties: fc.boolean(),
      properties: fc.dictionary(names, fc.tuple(tie('node'), fc.boolean()), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    })
    .map(({ additionalProperties, properties }) => ({
      type: 'object' as const,
      additionalProperties,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, [node, required]]) => [
          name,
          required ? { ...node, required: true as const } : node,
        ]),
      ),
    })) as fc.Arbitrary<ValueSpec>,
})).node

const schemas = fc.letrec<{ node: JsonValue; list: JsonValue }>(tie => ({
  list: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.boolean(),
    fc.constantFrom<JsonValue>(
      { type: 'string' },
      { type: ['integer', 'null'] },
      { enum: ['x', 1, null] },
      { const: {} },
      { minimum: 1, maximum: 1 },
      { minLength: 1, pattern: '^x' },
      { minItems: 1, uniqueItems: true },
      { maxProperties: 1 },
      { required: ['a', 'toString'] },
      { enum: [] },
      { dependentRequired: { a: ['b'] } },
      { $ref: '#' },
      { $ref: '#/$defs/x' },
      { $ref: 'other' },
      { $dynamicRef: '#dynamic' },
      { $dynamicRef: 'other#dynamic' },
    ),
    fc.record(
      {
        properties: fc.dictionary(names, tie('node'), { maxKeys: 2, noNullPrototype: true }),
        additionalProperties: tie('node'),
        patternProperties: fc.record({ '^a': tie('node') }, { noNullPrototype: true }),
        items: tie('node'),
        prefixItems: tie('list'),
        contains: tie('node'),
        minContains: fc.constantFrom(0, 1, 2),
        maxContains: fc.constantFrom(1, 2),
        unevaluatedItems: tie('node'),
        unevaluatedProperties: tie('node'),
        anyOf: tie('list'),
        oneOf: tie('list'),
        allOf: tie('list'),
        not: tie('node'),
        if: tie('node'),
        then: tie('node'),
        else: tie('node'),
        propertyNames: tie('node'),
        dependentSchemas: fc.record({ a: tie('node') }, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ) as fc.Arbitrary<JsonValue>,
  ),
})).node

describe('for any schema of the schema language and any JSON', () => {
  test('parse, the list of violations and JSON Schema validators give one verdict', async () => {
    await defaultValidator().compile({}, 'value')(null)
    fc.assert(
      fc.property(specs, values, (spec, value) => {
        const { jsonSchema, parse } = compileOutputSchema(spec)
        assertSupportedOutputSchema(jsonSchema)
        expect(checkJsonSchema(jsonSchema)).toEqual([])
        const parsed = parse?.(snapshotJson(value)) as { ok: boolean }
        const structured = validateStructuredValue(jsonSchema, value)
        const validated = defaultValidator().compile(jsonSchema, 'value')(value)
        expect({ structured: structured.length === 0 }).toEqual({ structured: parsed.ok })
        expect({ validated: (validated as unknown[]).length === 0 }).toEqual({ validated: parsed.ok })
      }),
      { numRuns: 400 },
    )
  })
})

describe('for any JSON Schema and any JSON', () => {
  test('the compiled and the interpreting validator say the same, and nothing throws', async () => {
    await defaultValidator().compile({}, 'value')(null)
    fc.assert(
      fc.property(schemas, schemas, fc.array(values, { minLength: 1, maxLength: 5 }), (root, x, samples) => {
        const name = { $dynamicAnchor: 'dynamic', properties: { a: { type: 'string' } } }
        const other = { $id: 'other', allOf: [x], $defs: { name, x } }
        const schema = snapshotJson({
          $dynamicAnchor: 'dynamic',
          allOf: [root],
          $defs: { x, other },
        }) as JsonObject
        // Some refer to themselves without a step into the value.
        fc.pre(checkJsonSchema(schema).length === 0)
        const compiled = defaultValidator().compile(schema, 'value')
        const interpreted = explainingCheck(schema, 'value', interpretOnly)
        for (const value of samples) expect(interpreted(value)).toEqual(compiled(value))
      }),
      { numRuns: 400 },
    )
  })
})

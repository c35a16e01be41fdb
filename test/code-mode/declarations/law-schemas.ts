import fc from 'fast-check'

type Schema = boolean | { [keyword: string]: unknown }

const KEYS = ['a', 'b', 'c', 'x-1', 'x-2']
const SCALARS = ['a', 'b', 'x-1', '', 0, 1, -1, 1.5, true, false, null]
const REFERENCES = [
  '#/$defs/node',
  '#/$defs/pair',
  '#/$defs/closed',
  '#anchored',
  '#/$defs/node/properties/a',
]
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

const key = fc.constantFrom(...KEYS)
const maybe = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arb, { nil: undefined, freq: 1 })
const rarely = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: arb })

/** Any JSON value over few keys and scalars, so that values and schemas often meet. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...SCALARS),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

function compact(schema: { [keyword: string]: unknown }): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

// `typed`: the schema has to say its type, since no enclosing schema for the same value does.
function schemaAt(depth: number, typed: boolean): fc.Arbitrary<Schema> {
  if (depth <= 0) {
    return fc.oneof(
      fc.constantFrom<Schema>(
        true,
        true,
        {},
        { type: 'string' },
        { type: 'integer' },
        { type: ['string', 'null'] },
        { type: 'string', minLength: 1, pattern: '^[a-z]', format: 'date' },
        { type: 'number', minimum: 0, exclusiveMaximum: 2, multipleOf: 0.5 },
      ),
      fc
        .array(fc.constantFrom(...SCALARS), { minLength: 1, maxLength: 3 })
        .map((values): Schema => ({ enum: values })),
      fc.constantFrom<Schema>(...REFERENCES.map($ref => ({ $ref })), false),
    )
  }
  const inside = schemaAt(depth - 1, true)
  const same = schemaAt(depth - 1, typed)
  const type = fc.oneof(
    fc.constantFrom(...TYPES, 'object', 'object'),
    fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
  )
  const shape = (wanted: unknown): fc.Arbitrary<Schema> => {
    const names = [wanted].flat()
    const object = wanted === undefined || names.includes('object')
    const array = wanted === undefined || names.includes('array')
    const when = <T>(condition: boolean, arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
      condition ? maybe(arb) : fc.constant(undefined)
    // Once the type is said, what is said beside it about the same value need not repeat it.
    const beside = wanted === undefined ? same : schemaAt(depth - 1, false)
    return fc
      .record({
        type: fc.constant(wanted),
        properties: when(object, fc.dictionary(key, inside, { maxKeys: 3, noNullPrototype: true })),
        required: when(object, fc.uniqueArray(key, { maxLength: 2 })),
        additionalProperties: when(object, fc.oneof(fc.constant(false), fc.constant(true), inside)),
        unevaluatedProperties: object ? rarely(fc.constant(false)) : fc.constant(undefined),
        patternProperties: object
          ? rarely(
              fc.dictionary(fc.constantFrom('^x-', '[ab]', '^a', '^.*$', 'c$'), inside, {
                minKeys: 1,
                maxKeys: 2,
                noNullPrototype: true,
              }),
            )
          : fc.constant(undefined),
        propertyNames: object ? rarely(fc.constant({ minLength: 1 })) : fc.constant(undefined),
        dependentRequired: object ? rarely(fc.constant({ a: ['b'] })) : fc.constant(undefined),
        minProperties: object ? rarely(fc.nat(2)) : fc.constant(undefined),
        dependentSchemas: object
          ? rarely(fc.dictionary(key, beside, { maxKeys: 1, noNullPrototype: true }))
          : fc.constant(undefined),
        prefixItems: array
          ? rarely(fc.array(inside, { minLength: 1, maxLength: 2 }))
          : fc.constant(undefined),
        items: when(array, inside),
        contains: array ? rarely(inside) : fc.constant(undefined),
        uniqueItems: array ? rarely(fc.boolean()) : fc.constant(undefined),
        minItems: array ? rarely(fc.nat(2)) : fc.constant(undefined),
        maxItems: array ? rarely(fc.nat(3)) : fc.constant(undefined),
        unevaluatedItems: array ? rarely(fc.constant(false)) : fc.constant(undefined),
        allOf: rarely(fc.array(beside, { minLength: 1, maxLength: 2 })),
        anyOf: rarely(fc.array(beside, { minLength: 1, maxLength: 3 })),
        oneOf: rarely(fc.array(beside, { minLength: 1, maxLength: 3 })),
        not: rarely(beside),
        if: rarely(beside),
        then: rarely(beside),
        $ref: rarely(fc.constantFrom(...REFERENCES)),
        const: rarely(fc.oneof(fc.constantFrom(...SCALARS), jsonValue)),
        nullable: rarely(fc.boolean()),
        enum: rarely(
          fc.array(fc.oneof(fc.constantFrom(...SCALARS), jsonValue), { minLength: 1, maxLength: 4 }),
        ),
      })
      .map(compact)
  }
  const typeless = fc
    .record({
      anyOf: rarely(fc.array(same, { minLength: 1, maxLength: 3 })),
      allOf: maybe(fc.array(same, { minLength: 1, maxLength: 2 })),
    })
    .map(compact)
  const orNull = fc
    .tuple(fc.constantFrom('anyOf', 'oneOf'), same)
    .map(([keyword, schema]): Schema => ({ [keyword]: [schema, { type: 'null' }] }))
  const weighted = (weight: number, arbitrary: fc.Arbitrary<Schema>) => ({ weight, arbitrary })
  return fc.oneof(
    weighted(4, type.chain(shape)),
    weighted(3, typed ? typeless : shape(undefined)),
    weighted(1, orNull),
  )
}

const defs = fc.record({
  node: schemaAt(1, true).map(value => ({
    type: 'object',
    properties: {
      a: value,
      b: { type: 'array', items: { $ref: '#/$defs/node' } },
      c: { $ref: '#/$defs/pair' },
    },
  })),
  pair: schemaAt(1, true).map(other => ({
    type: 'array',
    prefixItems: [{ type: ['string', 'number'] }, { anyOf: [{ $ref: '#/$defs/node' }, other] }],
    maxItems: 2,
  })),
  closed: fc.constant({
    $anchor: 'anchored',
    type: ['object', 'null'],
    properties: { a: { type: 'string' }, b: { $ref: '#/$defs/node' } },
    additionalProperties: false,
  }),
})

/** Schemas whose nodes say their types, with `$defs` that refer to themselves and each other. */
export const lawSchema: fc.Arbitrary<{ [keyword: string]: unknown }> = fc
  .tuple(schemaAt(2, true), defs)
  .map(([schema, $defs]) => ({ ...(typeof schema === 'boolean' ? { allOf: [schema] } : schema), $defs }))

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instanceOf, seededDraw } from '../../code-mode/declarations/instance.js'
import { jsonValue, lawSchema } from '../../code-mode/declarations/law-schemas.js'
import { complaints, fromOpenApi, type SchemaWire, WIRES } from './dialects.js'

const RUNS = Number(process.env.RUNS ?? 40)
type Schema = { [keyword: string]: unknown }

const toolOf = (parameters: Schema) => [{ name: 'tool', description: '', parameters: parameters as never }]

function compile(schema: Schema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  // A word of OpenAPI, which Ajv reads in its own way: it adds null to the type and the values beside it.
  const text = JSON.stringify(schema, (key, value) => {
    if (key === 'nullable') return undefined
    if (value?.nullable !== true) return value
    const { type, enum: values, ...rest } = value
    return {
      ...rest,
      ...(type && { type: [...new Set([type, 'null'].flat())] }),
      ...(values && { enum: [...new Set([...values, null])] }),
    }
  })
  const check = ajv.compile(JSON.parse(text)) as (value: unknown) => boolean
  return value => {
    try {
      return check(value)
    } catch {
      // A reference that leads to itself and nowhere else.
      return false
    }
  }
}

const scalar: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(
    { type: 'string' },
    { type: 'integer', minimum: 0 },
    { type: ['string', 'null'] },
    { type: 'boolean', default: true },
    { type: 'number', exclusiveMinimum: 1 },
    { const: 'fixed' },
    { enum: ['a', 'b'] },
    { type: 'integer', exclusiveMaximum: 4 },
    { type: ['integer', 'string'] },
    { $ref: '#/$defs/point' },
  ),
)

/** Schemas as tools have them: objects of some required and some optional properties. */
const tame = (depth: number): fc.Arbitrary<Schema> => {
  if (depth === 0) return scalar
  const inside = tame(depth - 1)
  const object = fc
    .record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c d', 'x-1'), inside, {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      }),
      optional: fc.nat(),
      closed: fc.boolean(),
    })
    .map(({ properties, optional, closed }) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_, i) => (optional >> i) % 2 === 0),
      ...(closed && { additionalProperties: false }),
    }))
  const array = inside.map(items => ({ type: 'array', items }))
  const union = fc.tuple(object, scalar).map(anyOf => ({ anyOf }))
  const one = fc.tuple(inside, scalar).map(oneOf => ({ oneOf }))
  return fc.oneof({ weight: 3, arbitrary: object }, array, union, one, scalar)
}
const DEFS = {
  point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] },
}
const toolSchema = tame(3).map(schema => ({ ...schema, $defs: DEFS }))
const parameters: fc.Arbitrary<Schema> = fc.oneof(toolSchema, lawSchema)

const schemaOf = (name: string, { schema }: SchemaWire): Schema =>
  name === 'google, openapi' ? fromOpenApi(schema) : schema

// A property that refers to itself and to nothing else: no value can be judged by it.
const isEndless = (schema: Schema): boolean =>
  JSON.stringify(schema).includes('"$ref":"#/$defs/node/properties/a"')

describe.each(Object.entries(WIRES))('on the wire of %s', (name, open) => {
  it('law: nothing goes out that the provider refuses', () => {
    fc.assert(
      fc.property(parameters, schema => {
        const wire = open(toolOf(schema))
        const judge = wire.strict ? name : name.replace(', strict', '')
        expect(complaints(judge, wire.schema)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('law: where nothing is lost, what fits the schema that is sent fits the tool when it comes back', () => {
    let compared = 0
    fc.assert(
      fc.property(parameters, fc.nat(), (schema, seed) => {
        if (isEndless(schema)) return
        const wire = open(toolOf(schema))
        if (wire.findings.some(finding => finding.outcome === 'adapted' && !finding.exact)) return
        const sent = schemaOf(name, wire)
        const [fits, accepts] = [compile(sent), compile(schema)]
        const draw = seededDraw(seed)
        for (let i = 0; i < 6; i++) {
          const value = instanceOf(sent, sent, draw)
          if (!fits(value)) continue
          const args = wire.decode(value)
          compared++
          expect({ args, ok: accepts(args) }).toEqual({ args, ok: true })
        }
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(20)
  })

  it('law: arguments that the tool takes fit the schema that is sent, unless it is strict', () => {
    let compared = 0
    fc.assert(
      fc.property(parameters, fc.array(jsonValue, { maxLength: 3 }), fc.nat(), (schema, values, seed) => {
        if (isEndless(schema)) return
        const wire = open(toolOf(schema))
        if (
          wire.strict ||
          wire.findings.some(({ rule }) =>
            ['property-name', ...(name === 'google, openapi' ? ['any', 'array-items'] : [])].includes(rule),
          )
        )
          return
        const sent = schemaOf(name, wire)
        const wraps = wire.findings.some(({ rule }) => rule === 'root-type')
        const [fits, accepts] = [compile(sent), compile(schema)]
        const draw = seededDraw(seed)
        for (const value of [...values, instanceOf(schema, schema, draw), instanceOf(schema, schema, draw)]) {
          if (
            !accepts(value) ||
            (!wraps && (typeof value !== 'object' || value === null || Array.isArray(value)))
          )
            continue
          compared++
          const args = wraps ? { value } : value
          expect({ args, ok: fits(args) }).toEqual({ args, ok: true })
        }
      }),
      { numRuns: RUNS },
    )
    if (!name.endsWith('strict')) expect(compared).toBeGreaterThan(5)
  })
})

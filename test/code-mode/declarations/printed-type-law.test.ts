/**
 * The law: a value that the validator accepts compiles as a literal of the printed type. For random schemas of 2020-12
 * and draft-07, against the registry's own validator. Kept out:
 *
 * - Schemas with keywords of objects or arrays and no type said for the value, which are printed as objects or arrays
 *   alone: see docs/decisions/declarations.md. The schemas here say a type there, or an enclosing one says it.
 * - Values that own a key which every object inherits: see `hasInheritedKey`. Schemas that declare such a key are in.
 */
import fc from 'fast-check'
import { jsonSchemaToTs } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { compile, JSON_VALUE, judge } from './compile.js'
import { lawSamples } from './law-samples.js'

const SAMPLES = 300

const length = ({ schema }: { readonly schema: object }): number => JSON.stringify(schema).length

describe('a value that the validator accepts', () => {
  // One compile for all samples; a failure shows the schemas, shortest first, with their texts and values.
  it('compiles as a literal of the printed type', async () => {
    const samples = await lawSamples(SAMPLES)
    const verdicts = judge(
      samples.map(({ text, accepted, refused }) => ({
        prelude: `${JSON_VALUE}\ntype T = ${text}`,
        statements: [...accepted, ...refused].map((value, index) => `const v${index}: T = ${value}`),
      })),
    )
    let acceptedValues = 0
    let refusedValues = 0
    let refusedByType = 0
    const wrong = samples.flatMap(({ schema, text, accepted, refused }, index) => {
      const { broken = [], statements = [] } = verdicts[index] ?? {}
      acceptedValues += accepted.length
      refusedValues += refused.length
      refusedByType += refused.filter((_, at) => statements[accepted.length + at] !== undefined).length
      const values = accepted.filter((_, at) => statements[at] !== undefined)
      return broken.length > 0 || values.length > 0 ? [{ schema, text, broken, values }] : []
    })
    expect(wrong.sort((a, b) => length(a) - length(b)).slice(0, 3)).toEqual([])
    // The law must not hold because nothing was tried, nor because everything is allowed.
    expect(samples.length).toBeGreaterThan(SAMPLES * 0.9)
    expect(acceptedValues).toBeGreaterThan(SAMPLES * 4)
    expect(refusedByType / refusedValues).toBeGreaterThan(0.85)
  })
})

describe('any JSON in the place of a schema', () => {
  it('prints a type that compiles (TS-09)', () => {
    const keyword = fc.constantFrom(
      ...'type properties required additionalProperties patternProperties items prefixItems minItems maxItems'.split(
        ' ',
      ),
      ...'enum const allOf anyOf oneOf not if then $ref $id $anchor $defs nullable description format a b'.split(
        ' ',
      ),
    )
    const json = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(
          true,
          false,
          null,
          0,
          3,
          -1,
          'object',
          'array',
          'string',
          '#',
          '#/$defs/a',
          '#/properties/b',
          'x',
          '*/',
          '`$',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    })).value
    const schemas = fc.sample(json, 1_500)
    const sources = schemas.map(
      schema => `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}\nexport declare const t: T`,
    )
    const failures = compile(sources).flatMap((complaints, index) =>
      complaints.length > 0
        ? [{ schema: JSON.stringify(schemas[index]), source: sources[index], complaints }]
        : [],
    )
    expect(failures).toEqual([])
  })
})

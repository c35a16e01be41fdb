import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSchemaToTs } from '../../../src/code-mode/declarations/json-schema-to-ts.js'
import { compile, JSON_VALUE, judge, literal } from './compile.js'
import { instanceOf, seededDraw } from './instance.js'
import { jsonValue, lawSchema } from './law-schemas.js'

const SAMPLES = 300
const ajv = new Ajv2020({ strict: false, validateSchema: false })

interface Sample {
  readonly schema: { [keyword: string]: unknown }
  readonly text: string
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

function sampleOf(
  schema: { [keyword: string]: unknown },
  random: readonly unknown[],
  seed: number,
): Sample | undefined {
  let validate: (value: unknown) => boolean
  try {
    validate = ajv.compile(schema)
  } catch {
    return undefined
  }
  const draw = seededDraw(seed)
  const values = [...random, ...Array.from({ length: 14 }, () => instanceOf(schema, schema, draw))]
  const literals = new Map(values.map(value => [literal(value), value]))
  const accepted: string[] = []
  const refused: string[] = []
  for (const [text, value] of literals) {
    try {
      ;(validate(value) ? accepted : refused).push(text)
    } catch {
      // Ajv compiles a few of the schemas to code that fails; they say nothing here.
    }
  }
  return { schema, text: jsonSchemaToTs(schema), accepted, refused }
}

function batch(seed: number): Sample[] {
  const arbitrary = fc.tuple(lawSchema, fc.array(jsonValue, { minLength: 6, maxLength: 6 }))
  return fc
    .sample(arbitrary, { numRuns: SAMPLES, seed })
    .flatMap(([schema, random], index) => sampleOf(schema, random, seed * SAMPLES + index + 1) ?? [])
}

describe('a value that the validator accepts', () => {
  // One compile for all samples of a seed; a failure shows the schema, the text and the values.
  it.each([20_240_601, 7])('compiles as a literal of the printed type (seed %i)', seed => {
    const samples = batch(seed)
    const verdicts = judge(
      samples.map(({ text, accepted, refused }) => ({
        prelude: `${JSON_VALUE}\ntype T = ${text}`,
        statements: [...accepted, ...refused].map((value, index) => `const v${index}: T = ${value}`),
      })),
    )
    let acceptedValues = 0
    let refusedValues = 0
    let refusedByType = 0
    const broken = samples.flatMap(({ schema, text, accepted, refused }, index) => {
      const { broken = [], statements = [] } = verdicts[index] ?? {}
      const wrong = accepted.filter((_, at) => statements[at] !== undefined)
      acceptedValues += accepted.length
      refusedValues += refused.length
      refusedByType += refused.filter((_, at) => statements[accepted.length + at] !== undefined).length
      return broken.length > 0 || wrong.length > 0
        ? [{ schema: JSON.stringify(schema), text, broken, wrong }]
        : []
    })
    expect(broken).toEqual([])
    // The law must not hold because nothing was tried, nor because everything is allowed.
    expect(acceptedValues).toBeGreaterThan(SAMPLES * 4)
    expect(refusedByType / refusedValues).toBeGreaterThan(0.9)
  })
})

describe('any JSON in the place of a schema', () => {
  it('prints a type that compiles', () => {
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
          '`${',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    })).value
    const schemas = fc.sample(json, { numRuns: 1_500, seed: 11 })
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

/**
 * The law for the schema language, in both directions: the validator accepts a value exactly if its literal compiles
 * against the printed type. Kept out of the second direction is what TypeScript has no words for:
 *
 * - `integer` is `number`: no value of that test has a fraction.
 * - `oneOf` is a union: a value of two branches is refused by the validator, and TypeScript lets one literal mix the
 *   properties of two closed branches. The branches of that test are told apart, by kind or by a required constant.
 * - A closed object type without required properties is satisfied by a text or an array if the property that it has is
 *   `length` or one that every object inherits: no property of that test is called so.
 *
 * And from both directions, values that own a key which every object inherits; see `hasInheritedKey`. Values that leave
 * such a key out are tried like all others.
 */
import fc from 'fast-check'
import { jsonSchemaToTs, schemaSpecToJsonSchema, type ValueSpec } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { acceptedValues } from './accepted-values.js'
import { hasInheritedKey, JSON_VALUE, judge, literal } from './compile.js'
import { instanceOf, seededDraw } from './instance.js'
import { lawSpec } from './law-specs.js'
import { mutate } from './mutate.js'

const SAMPLES = 250
const SHARED_KEYS = ['length', 'constructor', 'toString', 'hasOwnProperty']

interface Judged {
  readonly text: string
  readonly value: string
  readonly accepted: boolean
  readonly compiles: boolean
}

const schemaOf = (spec: ValueSpec): Record<string, unknown> =>
  (schemaSpecToJsonSchema({ v: spec }) as { properties: { v: Record<string, unknown> } }).properties.v

function valuesFor(spec: ValueSpec, seed: number): unknown[] {
  const draw = seededDraw(seed)
  const schema = schemaOf(spec)
  const instances = Array.from({ length: 8 }, () => instanceOf(schema, schema, draw))
  const values = [...instances, ...instances.map(value => mutate(value, draw))]
  return [...new Map(values.map(value => [literal(value), value]))]
    .filter(([text]) => !hasInheritedKey(text))
    .map(([, value]) => value)
}

async function judgeSpecs(specs: fc.Arbitrary<ValueSpec>): Promise<Judged[]> {
  const drawn = fc.sample(fc.tuple(specs, fc.integer({ min: 1, max: 0x7fffffff })), SAMPLES)
  const cases = drawn.map(([schema, seed]) => ({ schema, values: valuesFor(schema, seed) }))
  const accepted = await acceptedValues(cases)
  const texts = cases.map(({ schema }) => jsonSchemaToTs(schemaOf(schema)))
  const verdicts = judge(
    cases.map(({ values }, index) => ({
      prelude: `${JSON_VALUE}\ntype T = ${texts[index]}`,
      statements: values.map((value, at) => `const v${at}: T = ${literal(value)}`),
    })),
  )
  expect(verdicts.flatMap(({ broken }) => broken)).toEqual([])
  return cases.flatMap(({ values }, index) =>
    values.map((value, at) => ({
      text: texts[index] ?? '',
      value: literal(value),
      accepted: accepted[index]?.[at] === true,
      compiles: verdicts[index]?.statements[at] === undefined,
    })),
  )
}

const count = (judged: readonly Judged[], wanted: (entry: Judged) => boolean): number =>
  judged.filter(wanted).length

describe('a value of the schema language', () => {
  it('compiles as a literal of the printed type if it is accepted', async () => {
    const judged = await judgeSpecs(lawSpec({ overlap: true }))
    expect(judged.filter(({ accepted, compiles }) => accepted && !compiles)).toEqual([])
    expect(count(judged, ({ accepted }) => accepted)).toBeGreaterThan(SAMPLES * 3)
  })

  it('is accepted if its literal compiles, where TypeScript has words for the difference', async () => {
    const judged = (await judgeSpecs(lawSpec({ overlap: false, without: SHARED_KEYS }))).filter(
      ({ value }) => !/\d\.\d/.test(value),
    )
    expect(judged.filter(({ accepted, compiles }) => accepted !== compiles)).toEqual([])
    // The law must not hold because all values are alike.
    expect(count(judged, ({ accepted }) => accepted)).toBeGreaterThan(SAMPLES * 3)
    expect(count(judged, ({ accepted }) => !accepted)).toBeGreaterThan(SAMPLES * 3)
  })
})

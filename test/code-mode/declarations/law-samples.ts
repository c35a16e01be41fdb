import fc from 'fast-check'
import { jsonSchemaToTs } from 'toolgate'
import { acceptedValues, raw } from './accepted-values.js'
import { hasInheritedKey, literal } from './compile.js'
import { annotate, renamer, toDraft07 } from './dress-schema.js'
import { instanceOf, seededDraw } from './instance.js'
import { jsonValue, lawSchema } from './law-schemas.js'

const INSTANCES = 14

/** A schema, its printed type, and literals of values that the validator accepts and refuses. */
export interface LawSample {
  readonly schema: object
  readonly text: string
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

const drawn = fc.record({
  schema: lawSchema,
  random: fc.array(jsonValue, { minLength: 6, maxLength: 6 }),
  seed: fc.integer({ min: 1, max: 0x7fffffff }),
  draft07: fc.boolean(),
})

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function written({ schema, random, seed, draft07 }: Drawn): { schema: object; values: readonly unknown[] } {
  const draw = seededDraw(seed)
  const made = [...random, ...Array.from({ length: INSTANCES }, () => instanceOf(schema, schema, draw))]
  const rename = renamer(draw)
  const dressed = annotate(rename(schema), draw) as object
  const texts = new Map(made.map(rename).map(value => [literal(value), value]))
  const values = [...texts].filter(([text]) => !hasInheritedKey(text)).map(([, value]) => value)
  return { schema: draft07 ? toDraft07(dressed, draw) : dressed, values }
}

/** Random schemas of both drafts that the registry can use, with values and its judgement of them. */
export async function lawSamples(count: number): Promise<LawSample[]> {
  const cases = fc.sample(drawn, count).map(written)
  const judged = await acceptedValues(cases.map(({ schema, values }) => ({ schema: raw(schema), values })))
  return cases.flatMap(({ schema, values }, index) => {
    const verdicts = judged[index]
    if (!verdicts) return []
    const literals = (wanted: boolean): string[] =>
      values.filter((_, at) => verdicts[at] === wanted).map(literal)
    return { schema, text: jsonSchemaToTs(schema), accepted: literals(true), refused: literals(false) }
  })
}

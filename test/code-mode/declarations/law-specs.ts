import fc from 'fast-check'
import type { ValueSpec } from 'toolgate'
import { ODD_KEYS, ODD_TEXTS } from './dress-schema.js'

/** A node of the schema language before it is checked. */
type Spec = { readonly [key: string]: unknown }

const TEXTS = ['a', 'b', 'x-1', '', '"', '\n', 'é']
const NUMBERS = [0, 1, -1, 2, 1e21]

export interface SpecOptions {
  /** The names of properties. */
  readonly keys: readonly string[]
  /** Whether branches of a `oneOf` may accept the same value. */
  readonly overlap: boolean
}

const some = <T>(values: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })

const limited = (type: string, values: readonly unknown[]): fc.Arbitrary<Spec> =>
  fc.oneof(
    fc.constant<Spec>({ type }),
    some(values).map((list): Spec => ({ type, enum: list })),
    fc.constantFrom(...values).map((value): Spec => ({ type, const: value })),
  )

const SCALARS: readonly fc.Arbitrary<Spec>[] = [
  limited('string', TEXTS),
  fc.oneof(limited('number', NUMBERS), limited('integer', NUMBERS)),
  limited('boolean', [true, false]),
  fc.constant({ type: 'null' }),
]

const described = (spec: fc.Arbitrary<Spec>): fc.Arbitrary<Spec> =>
  fc
    .tuple(spec, fc.option(fc.constantFrom(...ODD_TEXTS), { nil: undefined, freq: 2 }))
    .map(([made, description]) => (description === undefined ? made : { ...made, description }))

function specAt(depth: number, options: SpecOptions): fc.Arbitrary<Spec> {
  const scalar = fc.oneof(...SCALARS, fc.constant<Spec>({ type: 'json' }))
  if (depth <= 0) return described(scalar)
  const inside = specAt(depth - 1, options)
  const array = fc
    .option(inside, { nil: undefined, freq: 4 })
    .map((items): Spec => ({ type: 'array', ...(items && { items }) }))
  const branches = options.overlap
    ? fc.array(inside, { minLength: 2, maxLength: 3 })
    : fc.oneof(
        fc
          .shuffledSubarray([...SCALARS, array, objectAt(inside, options)], { minLength: 2, maxLength: 4 })
          .chain(kinds => fc.tuple(...kinds)),
        taggedObjects(inside, options),
        fc.constant<Spec[]>([
          { type: 'string', enum: ['a', 'b'] },
          { type: 'string', const: 'x-1' },
        ]),
      )
  return described(
    fc.oneof(
      { weight: 1, arbitrary: scalar },
      { weight: 2, arbitrary: array },
      { weight: 4, arbitrary: objectAt(inside, options) },
      { weight: 3, arbitrary: branches.map((oneOf): Spec => ({ oneOf })) },
    ),
  )
}

function objectAt(inside: fc.Arbitrary<Spec>, { keys }: SpecOptions, tag?: Spec): fc.Arbitrary<Spec> {
  const property = fc
    .tuple(inside, fc.boolean())
    .map(([spec, required]): Spec => (required ? { ...spec, required: true } : spec))
  const properties = fc.dictionary(fc.constantFrom(...keys), property, { maxKeys: 4, noNullPrototype: true })
  return fc
    .tuple(fc.boolean(), fc.option(properties, { nil: undefined, freq: 6 }))
    .map(([additionalProperties, made]): Spec => {
      const all = tag ? { ...made, tag } : made
      return { type: 'object', additionalProperties, ...(all && { properties: all }) }
    })
}

// Objects told apart by the constant of a required property.
const taggedObjects = (inside: fc.Arbitrary<Spec>, options: SpecOptions): fc.Arbitrary<Spec[]> =>
  fc
    .tuple(
      ...['a', 'b'].map(tag => objectAt(inside, options, { type: 'string', const: tag, required: true })),
    )
    .map(list => [...list])

/** A node of the schema language over a few keys, some of them odd. */
export const lawSpec = (
  options: Omit<SpecOptions, 'keys'> & { readonly without?: readonly string[] },
): fc.Arbitrary<ValueSpec> =>
  fc
    .shuffledSubarray(
      ODD_KEYS.filter(key => !options.without?.includes(key)),
      { minLength: 3, maxLength: 3 },
    )
    .chain(odd => specAt(2, { ...options, keys: ['a', 'b', 'c', ...odd] }))
    .map(spec => spec as unknown as ValueSpec)

import { keysOf, listOf, own, type SchemaNode, stringsOf } from './read-schema.js'
import { ARRAY, KINDS, OBJECT } from './ts-type.js'

const OBJECT_KEYWORDS =
  'properties required additionalProperties patternProperties unevaluatedProperties propertyNames ' +
  'minProperties maxProperties dependentRequired dependentSchemas'
const ARRAY_KEYWORDS =
  'items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains ' +
  'maxContains'
const APPLICATORS = '$ref $dynamicRef $recursiveRef allOf anyOf oneOf nullable'

/** A mask's mark beside the containers: other schemas speak of the same value. */
export const SAME_VALUE = 64

// For each keyword that leads to further schemas: the container it is about, or the same value.
const SPOKEN = new Map<string, number>()
for (const key of OBJECT_KEYWORDS.split(' ')) SPOKEN.set(key, OBJECT)
for (const key of ARRAY_KEYWORDS.split(' ')) SPOKEN.set(key, ARRAY)
for (const key of APPLICATORS.split(' ')) SPOKEN.set(key, SAME_VALUE)

const ALONE: ReadonlyMap<string, readonly string[]> = new Map([...KINDS.keys()].map(name => [name, [name]]))

// What may declare keys or elements besides the keywords for them.
const EVALUATORS =
  'allOf anyOf oneOf $ref $dynamicRef $recursiveRef if not contains dependentSchemas dependencies'.split(' ')

/** The names in `type`, in order; `undefined` when there is none or one is unknown. */
export function typeNames(schema: SchemaNode): readonly string[] | undefined {
  const type = own(schema, 'type')
  if (typeof type === 'string') return ALONE.get(type)
  const names = stringsOf(type)
  if (names.length === 0 || names.length !== listOf(type)?.length) return undefined
  return names.every(name => KINDS.has(name)) ? names : undefined
}

/** The kinds of these names, as a mask. */
export function kindsOf(names: readonly string[]): number {
  return names.reduce((mask, name) => mask | (KINDS.get(name) ?? 0), 0)
}

/**
 * The containers whose keywords appear, as a mask: what a schema without `type` is about; and `SAME_VALUE`.
 * `undefined` for a leaf, which has none of these.
 */
export function spokenKinds(schema: SchemaNode): number | undefined {
  let mask: number | undefined
  for (const key of keysOf(schema)) {
    const kind = SPOKEN.get(key)
    if (kind !== undefined && own(schema, key) !== undefined) mask = (mask ?? 0) | kind
  }
  return mask
}

/** What is said of keys or elements not declared; `unevaluated...` is the same where nothing else declares any. */
export function restKeyword(schema: SchemaNode, keyword: string, unevaluated: string): unknown {
  const value = own(schema, keyword)
  if (value !== undefined || EVALUATORS.some(key => own(schema, key) !== undefined)) return value
  return own(schema, unevaluated)
}

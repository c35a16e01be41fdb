import type { JsonObject, JsonValue } from '../json/json-value.js'

/** The drafts of JSON Schema that are understood. */
export type SchemaDraft = '2020-12' | '7'

const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/i, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/i, '7'],
]

/** The draft that `$schema` names; 2020-12 without one; `undefined` for one that is not understood. */
export function draftOf(schema: JsonObject): SchemaDraft | undefined {
  if (!Object.hasOwn(schema, '$schema')) return '2020-12'
  const { $schema } = schema
  return DRAFTS.find(([spelling]) => typeof $schema === 'string' && spelling.test($schema))?.[1]
}

/** What stands under a keyword: a schema, a list of them, a map of them, or something that is no schema. */
export type KeywordShape =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'schemaOrSchemas'
  | 'dependencies'
  | 'types'
  | 'names'
  | 'nameMap'
  | 'values'
  | 'any'
  | 'number'
  | 'positive'
  | 'count'
  | 'boolean'
  | 'pattern'

type Shapes = { readonly [keyword: string]: KeywordShape }

const BOTH: Shapes = {
  type: 'types',
  enum: 'values',
  const: 'any',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'positive',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'pattern',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  contains: 'schema',
  required: 'names',
  minProperties: 'count',
  maxProperties: 'count',
  propertyNames: 'schema',
  properties: 'schemaMap',
  patternProperties: 'schemaMap',
  additionalProperties: 'schema',
  dependencies: 'dependencies',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
}

/** The keywords that decide whether a value is valid, by draft. All others are annotations. */
export const ASSERTIONS: { readonly [draft in SchemaDraft]: Shapes } = {
  '7': { ...BOTH, items: 'schemaOrSchemas', additionalItems: 'schema' },
  '2020-12': {
    ...BOTH,
    items: 'schema',
    prefixItems: 'schemas',
    minContains: 'count',
    maxContains: 'count',
    dependentRequired: 'nameMap',
    dependentSchemas: 'schemaMap',
    unevaluatedItems: 'schema',
    unevaluatedProperties: 'schema',
  },
}

/** Where schemas wait to be referred to. */
const DEFINITIONS: Shapes = { $defs: 'schemaMap', definitions: 'schemaMap' }

/** The shape of a keyword, definitions included; `undefined` for annotations and what is unknown. */
export function shapeOf(keyword: string, draft: SchemaDraft): KeywordShape | undefined {
  const shapes = Object.hasOwn(DEFINITIONS, keyword) ? DEFINITIONS : ASSERTIONS[draft]
  return Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
}

/** A schema that stands in another one, and the steps that lead to it. */
export interface Subschema {
  readonly steps: readonly (string | number)[]
  readonly node: JsonValue
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** The schemas directly under a keyword, well-formed or not. */
export function subschemasOf(keyword: string, shape: KeywordShape, value: JsonValue): readonly Subschema[] {
  switch (shape) {
    case 'schema':
      return [{ steps: [keyword], node: value }]
    case 'schemaOrSchemas':
    case 'schemas':
      if (isList(value)) return value.map((node, i) => ({ steps: [keyword, i], node }))
      return shape === 'schemas' ? [] : [{ steps: [keyword], node: value }]
    case 'schemaMap':
    case 'dependencies': {
      if (typeof value !== 'object' || value === null || isList(value)) return []
      return Object.keys(value).flatMap(key => {
        const node = value[key] as JsonValue
        return shape === 'dependencies' && isList(node) ? [] : [{ steps: [keyword, key], node }]
      })
    }
    default:
      return []
  }
}

import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { type Draft, isList, isRecord, own, setOwn } from './json.js'

export const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

type Check = (value: JsonValue) => boolean
const isSchema: Check = value => typeof value === 'boolean' || isRecord(value)
const isNumber: Check = value => typeof value === 'number'
const isCount: Check = value => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isText: Check = value => typeof value === 'string'
const isFlag: Check = value => typeof value === 'boolean'
const isSchemas: Check = value => isList(value) && value.length > 0 && value.every(isSchema)
const isMap: Check = value => isRecord(value) && Object.values(value).every(isSchema)
const isNames: Check = value => isList(value) && value.every(isText)

function compiles(pattern: JsonValue): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** What stands under a keyword that decides about values. */
export const ASSERTIONS: { readonly [keyword: string]: Check } = {
  type: value =>
    isList(value)
      ? value.length > 0 && value.every(item => TYPES.includes(String(item)))
      : TYPES.includes(String(value)),
  enum: value => isList(value) && value.length > 0,
  const: () => true,
  $ref: isText,
  $dynamicRef: isText,
  multipleOf: value => typeof value === 'number' && value > 0,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  pattern: compiles,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  contains: isSchema,
  minContains: isCount,
  maxContains: isCount,
  required: isNames,
  minProperties: isCount,
  maxProperties: isCount,
  propertyNames: isSchema,
  properties: isMap,
  patternProperties: isMap,
  additionalProperties: isSchema,
  dependentRequired: value => isRecord(value) && Object.values(value).every(isNames),
  dependentSchemas: isMap,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  if: isSchema,
  then: isSchema,
  else: isSchema,
  items: isSchema,
  prefixItems: isSchemas,
  unevaluatedItems: isSchema,
  unevaluatedProperties: isSchema,
}

const ANNOTATIONS: { readonly [keyword: string]: Check } = {
  title: isText,
  description: isText,
  format: isText,
  examples: isList,
}

/** Where a document keeps what it refers to, and what it is called: not part of any node on a wire. */
const OF_THE_DOCUMENT = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$defs',
  'definitions',
]

export const isAssertion = (keyword: string): boolean => Object.hasOwn(ASSERTIONS, keyword)

// Draft-07 and earlier spell these in other ways; the wires speak 2020-12.
function modern(node: JsonObject): JsonObject {
  const out: Draft = { ...node }
  const tuple = own(node, 'items')
  if (isList(tuple)) {
    delete out.items
    if (tuple.length > 0) out.prefixItems = tuple
    const rest = own(node, 'additionalItems')
    if (rest !== undefined) out.items = rest
  }
  delete out.additionalItems
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof out[exclusive] !== 'boolean') continue
    const limit = out[bound]
    const applies = out[exclusive] === true && limit !== undefined
    delete out[exclusive]
    if (!applies) continue
    out[exclusive] = limit
    delete out[bound]
  }
  const dependencies = own(node, 'dependencies')
  delete out.dependencies
  if (isRecord(dependencies)) {
    const all = Object.entries(dependencies)
    const names = all.filter(([, value]) => isList(value))
    const schemas = all.filter(([, value]) => !isList(value))
    if (names.length > 0) out.dependentRequired = Object.fromEntries(names)
    if (schemas.length > 0) out.dependentSchemas = Object.fromEntries(schemas)
  }
  return out
}

const OLD = /^(items|additionalItems|exclusive(Min|Max)imum|dependencies)$/

// OpenAPI's word adds null to the type and the values beside it, as the registry's checks have it, and to nothing else.
function admitNull(node: Draft): void {
  const { type, enum: values } = node
  if (type !== undefined && namedTypes(node).every(kind => kind !== 'null'))
    node.type = [...namedTypes(node), 'null']
  if (isList(values) && !values.includes(null)) node.enum = [...values, null]
}

/** One schema in the words of 2020-12: no malformed keyword, none of its document. `malformed` names what was left out. */
export function normalizeNode(given: JsonObject): {
  readonly node: JsonObject
  readonly malformed: string[]
} {
  const malformed: string[] = []
  const modernised = Object.keys(given).some(key => OLD.test(key)) ? modern(given) : given
  const node: Draft = {}
  for (const [key, value] of Object.entries(modernised)) {
    if (OF_THE_DOCUMENT.includes(key)) continue
    const check = Object.hasOwn(ASSERTIONS, key) ? ASSERTIONS[key] : undefined
    const sound = check ?? (Object.hasOwn(ANNOTATIONS, key) ? ANNOTATIONS[key] : undefined)
    if (sound === undefined || sound(value)) setOwn(node, key, value)
    else if (key !== 'properties' || !isRecord(value)) malformed.push(key)
    else {
      // One bad property does not spoil the others.
      malformed.push(key)
      node.properties = Object.fromEntries(Object.entries(value).filter(([, schema]) => isSchema(schema)))
    }
  }
  if (own(node, 'nullable') === true) admitNull(node)
  delete node.nullable
  return { node, malformed }
}

/** The types a normalized node names. */
export function namedTypes(node: JsonObject): string[] {
  const type = own(node, 'type')
  if (type === undefined) return []
  return isList(type) ? [...new Set(type as string[])] : [type as string]
}

export function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(properties|required|additionalProperties|patternProperties|propertyNames|(min|max)Properties|dependent.+|unevaluatedProperties)$/,
    'object',
  ],
  [/^(items|prefixItems|(min|max)Items|uniqueItems|contains|unevaluatedItems)$/, 'array'],
  [/^((min|max)Length|pattern|format)$/, 'string'],
  [/^(minimum|maximum|exclusive.+|multipleOf)$/, 'number'],
]

/** The types a node most likely means: those it names, else those its values have or its keywords are about. */
export function meantTypes(node: JsonObject): string[] {
  const named = namedTypes(node)
  if (named.length > 0) return named
  const values = own(node, 'enum') ?? (Object.hasOwn(node, 'const') ? [node.const as JsonValue] : undefined)
  if (isList(values)) return [...new Set(values.map(typeOfValue))]
  const hinted = HINTS.filter(([about]) => Object.keys(node).some(key => about.test(key)))
  return hinted.map(([, type]) => type)
}

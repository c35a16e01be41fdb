import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { ANY, SCALAR_KINDS, type ScalarPlan } from './schema-plan.js'
import { written } from './value-text.js'

/** Which of the two languages a schema is written in: Toolgate's own, or the JSON Schema subset that it compiles to. */
export type Dialect = 'spec' | 'subset'

/** One node without what stands below it. */
export type ReadNode =
  | { readonly kind: 'any' }
  | ScalarPlan
  | { readonly kind: 'array'; readonly items: JsonValue | undefined }
  | {
      readonly kind: 'object'
      readonly closed: boolean
      readonly properties: JsonObject
      readonly isRequired: (name: string) => boolean
    }
  | { readonly kind: 'oneOf'; readonly branches: readonly JsonValue[] }

/** Where a node stands, and how to say what is wrong with it: `key` is the keyword at fault. */
export interface NodeContext {
  readonly dialect: Dialect
  readonly isProperty: boolean
  fault(problem: string, key?: string): void
}

const ANNOTATIONS = ['title', 'description', 'default', 'examples']
const KEYWORDS: { readonly [kind: string]: readonly string[] } = {
  scalar: ['type', 'enum', 'const'],
  array: ['type', 'items'],
  object: ['type', 'properties', 'additionalProperties'],
  oneOf: ['oneOf'],
  any: ['type'],
}

// Own keys only: a schema may be made where someone extended Object.prototype.
const own = (node: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(node, key) ? node[key] : undefined

function typesOf(dialect: Dialect): string {
  return ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']
    .concat(dialect === 'spec' ? ['json'] : [])
    .join(', ')
}

function kindOf(node: JsonObject, { dialect, fault }: NodeContext): string | undefined {
  const type = own(node, 'type')
  if (Object.hasOwn(node, 'oneOf')) return 'oneOf'
  if (type === undefined) {
    if (dialect === 'subset') return 'any'
    fault(`must have a "type" (${typesOf(dialect)}) or "oneOf"`)
    return undefined
  }
  if (Array.isArray(type)) {
    fault('must be a single type; write a union of types with oneOf', 'type')
    return undefined
  }
  if (typeof type === 'string') {
    if (SCALAR_KINDS.has(type) || type === 'array' || type === 'object') return type
    if (type === 'json' && dialect === 'spec') return 'any'
  }
  fault(`must be one of ${typesOf(dialect)}, got ${written(type)}`, 'type')
  return undefined
}

function checkKeywords(node: JsonObject, kind: string, { dialect, isProperty, fault }: NodeContext): void {
  const allowed = new Set([...ANNOTATIONS, ...(KEYWORDS[SCALAR_KINDS.has(kind) ? 'scalar' : kind] ?? [])])
  if (dialect === 'subset' && kind === 'object') allowed.add('required')
  if (dialect === 'spec' && isProperty) allowed.add('required')
  const beside =
    kind === 'any' && dialect === 'subset' ? 'without a type' : `on "${kind === 'any' ? 'json' : kind}"`
  for (const key of Object.keys(node)) {
    if (allowed.has(key)) continue
    if (key === 'required' && dialect === 'spec') fault('is only allowed on a property', key)
    else fault(kind === 'oneOf' ? 'is not supported beside oneOf' : `is not supported ${beside}`, key)
  }
  for (const key of ['title', 'description'] as const) {
    const text = own(node, key)
    if (text !== undefined && typeof text !== 'string') fault(`must be a string, got ${written(text)}`, key)
  }
  const examples = own(node, 'examples')
  if (examples !== undefined && !Array.isArray(examples)) fault('must be an array', 'examples')
  const required = own(node, 'required')
  if (dialect === 'spec' && isProperty && required !== undefined && required !== true)
    fault('must be true or left out', 'required')
}

function isOfType(kind: string, value: JsonValue): boolean {
  if (kind === 'null') return value === null
  return kind === 'integer' ? Number.isInteger(value) : typeof value === kind
}

function readScalar(node: JsonObject, kind: ScalarPlan['kind'], { fault }: NodeContext): ScalarPlan {
  const values = own(node, 'enum')
  const only = own(node, 'const')
  let usable: readonly JsonValue[] | undefined
  if (values !== undefined) {
    if (!Array.isArray(values) || values.length === 0) fault('must be a non-empty array', 'enum')
    else {
      usable = values as readonly JsonValue[]
      const stray = usable.find(value => !isOfType(kind, value))
      if (stray !== undefined) fault(`must hold values of type ${kind}, got ${written(stray)}`, 'enum')
    }
  }
  if (only === undefined) return usable === undefined ? { kind } : { kind, allowed: usable }
  if (!isOfType(kind, only)) fault(`must be of type ${kind}, got ${written(only)}`, 'const')
  else if (usable !== undefined && !usable.includes(only)) fault('must be one of the enum values', 'const')
  return { kind, allowed: [only] }
}

function readRequired(node: JsonObject, properties: JsonObject, { fault }: NodeContext): Set<string> {
  const required = own(node, 'required') ?? []
  const isNames = Array.isArray(required) && required.every(name => typeof name === 'string')
  if (!isNames) fault('must be an array of property names', 'required')
  const names = new Set(isNames ? (required as readonly string[]) : [])
  for (const name of names)
    if (!Object.hasOwn(properties, name)) fault(`names ${written(name)}, which is not declared`, 'required')
  return names
}

function readObject(node: JsonObject, context: NodeContext): ReadNode {
  const { dialect, fault } = context
  const additional = own(node, 'additionalProperties')
  const given = own(node, 'properties')
  if (given !== undefined && !isRecord(given)) fault('must be an object of properties', 'properties')
  if (additional === undefined && dialect === 'spec')
    fault('must say additionalProperties: true or additionalProperties: false')
  else if (additional !== undefined && typeof additional !== 'boolean')
    fault(`must be true or false, got ${written(additional)}`, 'additionalProperties')
  const properties = isRecord(given) ? given : {}
  const names = dialect === 'subset' ? readRequired(node, properties, context) : undefined
  const isRequired = (name: string): boolean => {
    const property = properties[name]
    return names === undefined ? isRecord(property) && own(property, 'required') === true : names.has(name)
  }
  return { kind: 'object', closed: additional === false, properties, isRequired }
}

function readOneOf(node: JsonObject, { fault }: NodeContext): ReadNode {
  const branches = own(node, 'oneOf')
  if (Array.isArray(branches) && branches.length >= 2) return { kind: 'oneOf', branches }
  fault('must be an array of at least two branches', 'oneOf')
  return ANY
}

/** Reads one node, whose parts are lossless JSON, and says everything that is wrong with it. */
export function readNode(node: JsonValue, context: NodeContext): ReadNode {
  if (!isRecord(node)) {
    context.fault(`must be a schema object, got ${written(node)}`)
    return ANY
  }
  const kind = kindOf(node, context)
  if (kind === undefined) return ANY
  checkKeywords(node, kind, context)
  if (kind === 'oneOf') return readOneOf(node, context)
  if (kind === 'object') return readObject(node, context)
  if (kind === 'array') return { kind, items: own(node, 'items') }
  return kind === 'any' ? ANY : readScalar(node, kind as ScalarPlan['kind'], context)
}

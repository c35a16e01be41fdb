import { isRecord } from '../json/is-record.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import { joinPath } from '../json/json-path.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { draftOf, type SchemaDraft } from './json-schema-keywords.js'
import { SchemaDocument } from './schema-document.js'

/** One liberty that was taken with a value. */
export interface Coercion {
  readonly path: string
  /** `dropped-null`: an optional property whose schema refuses null. `parsed-text`: JSON text where data was demanded. */
  readonly change: 'dropped-null' | 'parsed-text'
}

/** A value as its schema would have it, frozen, and what was changed for that. */
export interface Coerced {
  readonly value: JsonValue
  readonly changes: readonly Coercion[]
}

/** Takes the liberties that a schema leaves no doubt about. */
export type Coerce = (value: JsonValue, root: string) => Coerced

// Deeper than this nobody is helped: what is wrong there is left for the validator to say.
const MAX_DEPTH = 64

const KINDS: { readonly [type: string]: number } = {
  string: 1,
  number: 2,
  integer: 2,
  boolean: 4,
  null: 8,
  object: 16,
  array: 32,
}
const STRING = 1
const NULL = 8
const OBJECT = 16
const ARRAY = 32
const ALL = 63

function kindOf(value: JsonValue): number {
  if (value === null) return NULL
  return Array.isArray(value) ? ARRAY : (KINDS[typeof value] as number)
}

const own = (node: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(node, key) ? node[key] : undefined

const listed = (value: JsonValue | undefined): readonly JsonValue[] | undefined =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : undefined

const either = (kinds: readonly number[]): number => kinds.reduce((sum, kind) => sum | kind, 0)

/** The schemas that hold for one place, all at once. */
type View = readonly JsonValue[]

class Coercer {
  readonly #document: SchemaDocument
  readonly #kinds = new Map<JsonValue, number>()

  constructor(schema: JsonObject) {
    this.#document = new SchemaDocument(schema, draftOf(schema) ?? '2020-12')
  }

  // Which kinds of values a schema may accept. What it cannot tell it takes for acceptable.
  #kindsOf(node: JsonValue): number {
    if (node === false) return 0
    if (!isRecord(node)) return ALL
    const known = this.#kinds.get(node)
    if (known !== undefined) return known
    // A schema that leads back to itself says nothing more of the kind.
    this.#kinds.set(node, ALL)
    const kinds = this.#readKinds(node)
    this.#kinds.set(node, kinds)
    return kinds
  }

  #readKinds(node: JsonObject): number {
    const target = this.#target(node)
    if (target !== undefined && this.#document.draft === '7') return this.#kindsOf(target)
    let kinds = target === undefined ? ALL : this.#kindsOf(target)
    const type = own(node, 'type')
    const types = typeof type === 'string' ? [type] : listed(type)
    const orNull = own(node, 'nullable') === true ? NULL : 0
    if (types !== undefined) kinds &= either(types.map(name => KINDS[String(name)] ?? ALL)) | orNull
    const values = listed(own(node, 'enum'))
    if (values !== undefined) kinds &= either(values.map(kindOf)) | orNull
    if (Object.hasOwn(node, 'const')) kinds &= kindOf(node.const as JsonValue)
    for (const part of listed(own(node, 'allOf')) ?? []) kinds &= this.#kindsOf(part)
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = listed(own(node, keyword))
      if (branches !== undefined) kinds &= either(branches.map(branch => this.#kindsOf(branch)))
    }
    return kinds
  }

  #target(node: JsonObject): JsonValue | undefined {
    const reference = own(node, '$ref')
    return typeof reference === 'string' ? this.#document.resolve(reference, node)?.node : undefined
  }

  #viewKinds(view: View): number {
    return view.reduce<number>((kinds, node) => kinds & this.#kindsOf(node), ALL)
  }

  /** All schemas that hold for a value of this kind: through references, `allOf`, and a choice that leaves one branch. */
  #expand(view: View, kind: number): JsonObject[] {
    const found: JsonObject[] = []
    const seen = new Set<JsonObject>()
    const waiting = [...view]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!isRecord(node) || seen.has(node)) continue
      seen.add(node)
      const target = this.#target(node)
      if (target !== undefined) waiting.push(target)
      // In draft-07 nothing counts beside a reference.
      if (target !== undefined && this.#document.draft === '7') continue
      found.push(node)
      waiting.push(...(listed(own(node, 'allOf')) ?? []))
      for (const keyword of ['anyOf', 'oneOf']) {
        const fitting = (listed(own(node, keyword)) ?? []).filter(branch => this.#kindsOf(branch) & kind)
        if (fitting.length === 1) waiting.push(fitting[0] as JsonValue)
      }
    }
    return found
  }

  coerce(view: View, value: JsonValue, path: string, depth: number, changes: Coercion[]): JsonValue {
    if (depth > MAX_DEPTH || view.length === 0) return value
    if (typeof value === 'string') return this.#coerceText(view, value, path, depth, changes)
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value)
      ? this.#coerceArray(view, value as readonly JsonValue[], path, depth, changes)
      : this.#coerceObject(view, value as JsonObject, path, depth, changes)
  }

  #coerceText(view: View, text: string, path: string, depth: number, changes: Coercion[]): JsonValue {
    const kinds = this.#viewKinds(view)
    if ((kinds & STRING) !== 0 || (kinds & (OBJECT | ARRAY)) === 0) return text
    const parsed = parseJson(text)
    if (parsed === undefined || (kindOf(parsed) & kinds & (OBJECT | ARRAY)) === 0) return text
    changes.push({ path, change: 'parsed-text' })
    return this.coerce(view, parsed, path, depth + 1, changes)
  }

  #coerceArray(
    view: View,
    items: readonly JsonValue[],
    path: string,
    depth: number,
    changes: Coercion[],
  ): JsonValue {
    const schemas = this.#expand(view, ARRAY)
    let copy: JsonValue[] | undefined
    for (const [i, item] of items.entries()) {
      if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) continue
      const below = itemView(schemas, i, this.#document.draft)
      const coerced = this.coerce(below, item, joinPath(path, i), depth + 1, changes)
      if (coerced !== item) {
        copy ??= [...items]
        copy[i] = coerced
      }
    }
    return copy === undefined ? items : Object.freeze(copy)
  }

  #coerceObject(view: View, object: JsonObject, path: string, depth: number, changes: Coercion[]): JsonValue {
    const schemas = this.#expand(view, OBJECT)
    const required = new Set(schemas.flatMap(schema => listed(own(schema, 'required')) ?? []))
    const entries: [string, JsonValue][] = []
    let changed = false
    for (const key of Object.keys(object)) {
      const value = object[key] as JsonValue
      const below = propertyView(schemas, key)
      const at = joinPath(path, key)
      if (value === null && below.length > 0 && !required.has(key) && !(this.#viewKinds(below) & NULL)) {
        changes.push({ path: at, change: 'dropped-null' })
        changed = true
        continue
      }
      const coerced = this.coerce(below, value, at, depth + 1, changes)
      changed ||= coerced !== value
      entries.push([key, coerced])
    }
    return changed ? Object.freeze(Object.fromEntries(entries)) : object
  }
}

function propertyView(schemas: readonly JsonObject[], key: string): View {
  return schemas.flatMap(schema => {
    const properties = own(schema, 'properties')
    const declared = isRecord(properties) ? own(properties, key) : undefined
    if (declared !== undefined) return [declared]
    const rest = own(schema, 'additionalProperties')
    return isRecord(rest) && !Object.hasOwn(schema, 'patternProperties') ? [rest] : []
  })
}

function itemView(schemas: readonly JsonObject[], index: number, draft: SchemaDraft): View {
  return schemas.flatMap(schema => {
    const items = own(schema, 'items')
    const tuple = listed(draft === '7' ? items : own(schema, 'prefixItems'))
    const placed = tuple?.[index]
    if (placed !== undefined) return [placed]
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items
    return isRecord(rest) ? [rest] : []
  })
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const copy = trySnapshot(JSON.parse(text), DEFAULT_JSON_LIMITS, 'arguments')
    return copy.ok ? copy.value : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a schema for what it leaves no doubt about: a null that an optional property's schema refuses goes, and a string
 * where only data is accepted is parsed as JSON. Nothing else is changed, to 64 levels.
 */
export function createCoerce(schema: JsonObject): Coerce {
  let coercer: Coercer | undefined
  return (value, root) => {
    coercer ??= new Coercer(schema)
    const changes: Coercion[] = []
    return { value: coercer.coerce([schema], value, root, 0, changes), changes }
  }
}

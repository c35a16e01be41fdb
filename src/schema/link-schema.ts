import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type DynamicScope, DynamicScopes, referencesOf } from './dynamic-scopes.js'
import { ASSERTIONS, draftOf, type KeywordShape, type SchemaDraft } from './json-schema-keywords.js'
import { portablePattern } from './portable-pattern.js'
import { SchemaDocument } from './schema-document.js'
import { setOwn } from './set-own.js'

/** A JSON Schema as its own private copy, in which the two validators that Toolgate uses cannot disagree. */
export interface LinkedSchema {
  readonly draft: SchemaDraft
  /** Assertions only; every reference is `#` or `#/$defs/r0` and the like. Not frozen: a validator may mark it. */
  readonly schema: MutableSchema
  /** True if it has what Ajv is known to get wrong. */
  readonly isBeyondAjv: boolean
  /** True if objects or arrays are compared as wholes: by `const` or `enum`. */
  readonly comparesContainers: boolean
  /** True if what other keywords have evaluated matters. */
  readonly countsEvaluated: boolean
  /** The schemas that ask for unique items. */
  readonly uniqueOwners: readonly MutableSchema[]
}

export interface MutableSchema {
  [keyword: string]: unknown
}

interface Task {
  readonly from: JsonObject
  readonly to: MutableSchema
  readonly scope: DynamicScope
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

// Here a boolean is the usual spelling. Elsewhere it is rare, and the validators trip over it.
const OPEN_OR_CLOSED = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'additionalItems',
  'unevaluatedItems',
])

const TUPLES: { readonly [draft in SchemaDraft]: (schema: JsonObject) => boolean } = {
  '7': schema => Object.hasOwn(schema, 'items') && isList(schema.items),
  '2020-12': schema => Object.hasOwn(schema, 'prefixItems'),
}

const spelledOut = (schema: boolean): MutableSchema => (schema ? {} : { not: {} })

class Linker {
  isBeyondAjv = false
  // Ajv counts what `if` has seen even where it does not hold.
  #hasConditions = false
  countsEvaluated = false
  comparesContainers = false
  readonly uniqueOwners: MutableSchema[] = []
  readonly #document: SchemaDocument
  readonly #root: JsonObject
  readonly #targets: ReadonlySet<JsonObject>
  readonly #scopes: DynamicScopes
  readonly #names = new Map<DynamicScope, Map<JsonObject, string>>()
  readonly #definitions: MutableSchema = {}
  readonly #tasks: Task[] = []
  #named = 0

  constructor(root: JsonObject, draft: SchemaDraft) {
    this.#document = new SchemaDocument(root, draft)
    this.#targets = targetsIn(this.#document)
    this.#scopes = new DynamicScopes(this.#document)
    this.#root = root
  }

  run(): MutableSchema {
    const schema: MutableSchema = {}
    const scope = this.#scopes.enter(this.#scopes.none, this.#root)
    this.#names.set(scope, new Map([[this.#root, '#']]))
    this.#tasks.push({ from: this.#root, to: schema, scope })
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#fill(task)
    if (this.countsEvaluated && this.#hasConditions) this.isBeyondAjv = true
    if (this.#named > 0) schema.$defs = this.#definitions
    return schema
  }

  #fill({ from, to, scope }: Task): void {
    const { draft } = this.#document
    const pointers = referencesOf(from, this.#document).map(reference => {
      const target = this.#scopes.resolve(reference, from, scope)?.node
      return typeof target === 'boolean' ? target : this.#pointer(target as JsonObject, scope)
    })
    // An empty array ends generated code at the tuple, before it comes to `contains`.
    if (Object.hasOwn(from, 'contains') && TUPLES[draft](from)) this.isBeyondAjv = true
    const overrides = draft === '7' && Object.hasOwn(from, '$ref')
    if (!overrides)
      for (const [keyword, shape] of Object.entries(ASSERTIONS[draft]))
        if (Object.hasOwn(from, keyword))
          to[keyword] = this.#value(keyword, shape, from[keyword] as JsonValue, scope)
    if (!overrides && Object.hasOwn(from, 'nullable') && from.nullable === true) admitNull(to)
    if (to.uniqueItems === true) this.uniqueOwners.push(to)
    // It does not know what `contains` has evaluated.
    if (Object.hasOwn(to, 'unevaluatedItems')) this.isBeyondAjv = true
    if (Object.hasOwn(to, 'unevaluatedProperties')) this.countsEvaluated = true
    if (Object.hasOwn(to, 'if')) this.#hasConditions = true
    const [first, ...more] = pointers
    const and: unknown[] = []
    if (typeof first === 'boolean' || more.length > 0)
      for (const pointer of pointers)
        and.push(typeof pointer === 'boolean' ? spelledOut(pointer) : { $ref: pointer })
    else if (first !== undefined) to.$ref = first
    if (isList(to.enum as JsonValue) && (to.enum as unknown[]).length === 0) {
      delete to.enum
      and.push(spelledOut(false))
    }
    if (and.length > 0) to.allOf = [...((to.allOf as unknown[] | undefined) ?? []), ...and]
  }

  // A target is written once for each scope; the place where it stands refers to it too.
  #pointer(target: JsonObject, from: DynamicScope): string {
    const scope = this.#scopes.enter(from, target)
    const names = this.#names.get(scope) ?? new Map<JsonObject, string>()
    this.#names.set(scope, names)
    const known = names.get(target)
    if (known !== undefined) return known
    const name = `r${this.#named++}`
    const to: MutableSchema = {}
    this.#definitions[name] = to
    names.set(target, `#/$defs/${name}`)
    this.#tasks.push({ from: target, to, scope })
    return `#/$defs/${name}`
  }

  #schema(node: JsonValue, scope: DynamicScope): unknown {
    if (typeof node === 'boolean') return spelledOut(node)
    if (!isRecord(node)) throw new Error('it has something else where a schema belongs')
    if (this.#targets.has(node)) return { $ref: this.#pointer(node, scope) }
    const to: MutableSchema = {}
    this.#tasks.push({ from: node, to, scope: this.#scopes.enter(scope, node) })
    return to
  }

  // Of nodes that refer to each other, the wrong kinds are left at their tag, before all that is below is tried in vain.
  #isTag(node: JsonValue | undefined): boolean {
    if (!isRecord(node)) return false
    if (Object.hasOwn(node, 'const') || Object.hasOwn(node, 'enum')) return true
    const [reference] = referencesOf(node, this.#document)
    const target = reference && this.#document.resolve(reference[1], node)?.node
    return isRecord(target) && (Object.hasOwn(target, 'const') || Object.hasOwn(target, 'enum'))
  }

  #map(value: JsonValue, keyword: string, scope: DynamicScope): MutableSchema {
    const map: MutableSchema = {}
    if (!isRecord(value)) return map
    const keys = Object.keys(value)
    if (keyword === 'properties' && this.#targets.size > 0)
      keys.sort((a, b) => Number(this.#isTag(value[b])) - Number(this.#isTag(value[a])))
    for (const key of keys) {
      const node = value[key] as JsonValue
      // Generated code does not see it.
      if (key === '__proto__') this.isBeyondAjv = true
      const name = keyword === 'patternProperties' ? usablePattern(key) : key
      setOwn(map, name, keyword === 'dependencies' && isList(node) ? [...node] : this.#schema(node, scope))
    }
    return map
  }

  #value(keyword: string, shape: KeywordShape, value: JsonValue, scope: DynamicScope): unknown {
    switch (shape) {
      case 'schema':
        return typeof value === 'boolean' && OPEN_OR_CLOSED.has(keyword) ? value : this.#schema(value, scope)
      case 'schemas':
      case 'schemaOrSchemas':
        return isList(value) ? value.map(node => this.#schema(node, scope)) : this.#schema(value, scope)
      case 'schemaMap':
      case 'dependencies':
        return this.#map(value, keyword, scope)
      case 'pattern':
        return usablePattern(String(value))
      default:
        if (comparesContainers(keyword, value)) this.comparesContainers = true
        return value
    }
  }
}

// OpenAPI's word, which schemas in use have and the declarations print. It adds null to what the node itself asks for.
function admitNull(to: MutableSchema): void {
  const { type, enum: values } = to
  if (type !== undefined) to.type = [...new Set([type, 'null'].flat())]
  if (Array.isArray(values) && !values.includes(null)) to.enum = [...values, null]
}

function comparesContainers(keyword: string, value: JsonValue): boolean {
  const isContainer = (held: JsonValue): boolean => typeof held === 'object' && held !== null
  if (keyword === 'const') return isContainer(value)
  return keyword === 'enum' && isList(value) && value.some(isContainer)
}

function targetsIn(document: SchemaDocument): ReadonlySet<JsonObject> {
  const targets = new Set<JsonObject>()
  // A reference may lead to schemas that only it leads to: the list grows while it is read.
  for (let i = 0; i < document.nodes.length; i++) {
    const node = document.nodes[i]?.node
    if (!isRecord(node)) continue
    for (const [, to] of referencesOf(node, document)) {
      const target = document.resolve(to, node)?.node
      if (target === undefined) throw new Error(`it refers to "${to}", which is not in it`)
      if (isRecord(target)) targets.add(target)
    }
  }
  return targets
}

function usablePattern(pattern: string): string {
  const usable = portablePattern(pattern)
  if (usable === undefined) throw new Error(`its pattern ${JSON.stringify(pattern)} does not compile`)
  return usable
}

/**
 * Copies what decides about values out of a JSON Schema and resolves its references. Identifiers, anchors, annotations and
 * unknown keywords stay behind. Throws for what `checkJsonSchema` refuses.
 */
export function linkSchema(schema: JsonObject): LinkedSchema {
  const draft = draftOf(schema)
  if (draft === undefined) throw new Error(`its $schema is not supported: ${String(schema.$schema)}`)
  const linker = new Linker(schema, draft)
  const linked = linker.run()
  const { isBeyondAjv, comparesContainers, countsEvaluated, uniqueOwners } = linker
  return { draft, schema: linked, isBeyondAjv, comparesContainers, countsEvaluated, uniqueOwners }
}

import type { JsonObject, JsonValue } from '../json/json-value.js'
import { ASSERTIONS, draftOf, type KeywordShape, type SchemaDraft } from './json-schema-keywords.js'
import { portablePattern } from './portable-pattern.js'
import { isRecord } from './read-node.js'
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
  /** The schemas that ask for unique items. */
  readonly uniqueOwners: readonly MutableSchema[]
}

export interface MutableSchema {
  [keyword: string]: unknown
}

interface Task {
  readonly from: JsonObject
  readonly to: MutableSchema
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
  comparesContainers = false
  readonly uniqueOwners: MutableSchema[] = []
  readonly #document: SchemaDocument
  readonly #root: JsonObject
  readonly #names = new Map<JsonObject, string>()
  readonly #tasks: Task[] = []

  constructor(root: JsonObject, draft: SchemaDraft) {
    this.#root = root
    this.#document = new SchemaDocument(root, draft)
  }

  run(): MutableSchema {
    this.#nameTargets()
    const schema: MutableSchema = {}
    this.#tasks.push({ from: this.#root, to: schema })
    const definitions: MutableSchema = {}
    for (const [target, name] of this.#names) {
      if (target === this.#root) continue
      const to = {}
      definitions[name] = to
      this.#tasks.push({ from: target, to })
    }
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#fill(task)
    if (Object.keys(definitions).length > 0) schema.$defs = definitions
    return schema
  }

  // Names come first: a target is written once, and the place where it stands refers to it too.
  #nameTargets(): void {
    const { nodes } = this.#document
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]?.node
      if (!isRecord(node)) continue
      for (const reference of references(node)) {
        const target = this.#document.resolve(reference, node)?.node
        if (target === undefined) throw new Error(`it refers to "${reference}", which is not in it`)
        if (isRecord(target) && !this.#names.has(target)) this.#names.set(target, `r${this.#names.size}`)
      }
    }
  }

  #fill({ from, to }: Task): void {
    const { draft } = this.#document
    const pointers = references(from).map(reference => this.#reference(reference, from))
    // An empty array ends generated code at the tuple, before it comes to `contains`.
    if (Object.hasOwn(from, 'contains') && TUPLES[draft](from)) this.isBeyondAjv = true
    const overrides = draft === '7' && Object.hasOwn(from, '$ref')
    if (!overrides)
      for (const [keyword, shape] of Object.entries(ASSERTIONS[draft]))
        if (Object.hasOwn(from, keyword))
          to[keyword] = this.#value(keyword, shape, from[keyword] as JsonValue)
    if (to.uniqueItems === true) this.uniqueOwners.push(to)
    // It does not know what `contains` has evaluated.
    if (Object.hasOwn(to, 'unevaluatedItems')) this.isBeyondAjv = true
    const [first, ...more] = pointers
    if (first === undefined) return
    if (typeof first === 'boolean' || more.length > 0)
      to.allOf = [
        ...((to.allOf as unknown[] | undefined) ?? []),
        ...pointers.map(pointer => (typeof pointer === 'boolean' ? spelledOut(pointer) : { $ref: pointer })),
      ]
    else to.$ref = first
  }

  #reference(reference: string, from: JsonObject): string | boolean {
    const target = this.#document.resolve(reference, from)?.node
    if (typeof target === 'boolean') return target
    return this.#pointer(target as JsonObject)
  }

  #pointer(target: JsonObject): string {
    return target === this.#root ? '#' : `#/$defs/${this.#names.get(target)}`
  }

  #schema(node: JsonValue): unknown {
    if (typeof node === 'boolean') return spelledOut(node)
    if (!isRecord(node)) throw new Error('it has something else where a schema belongs')
    if (this.#names.has(node)) return { $ref: this.#pointer(node) }
    const to: MutableSchema = {}
    this.#tasks.push({ from: node, to })
    return to
  }

  #map(value: JsonValue, keyword: string): MutableSchema {
    const map: MutableSchema = {}
    if (!isRecord(value)) return map
    for (const key of Object.keys(value)) {
      const node = value[key] as JsonValue
      // Generated code does not see it.
      if (key === '__proto__') this.isBeyondAjv = true
      const name = keyword === 'patternProperties' ? usablePattern(key) : key
      setOwn(map, name, keyword === 'dependencies' && isList(node) ? [...node] : this.#schema(node))
    }
    return map
  }

  #value(keyword: string, shape: KeywordShape, value: JsonValue): unknown {
    switch (shape) {
      case 'schema':
        return typeof value === 'boolean' && OPEN_OR_CLOSED.has(keyword) ? value : this.#schema(value)
      case 'schemas':
      case 'schemaOrSchemas':
        return isList(value) ? value.map(node => this.#schema(node)) : this.#schema(value)
      case 'schemaMap':
      case 'dependencies':
        return this.#map(value, keyword)
      case 'pattern':
        return usablePattern(String(value))
      default:
        if (comparesContainers(keyword, value)) this.comparesContainers = true
        return value
    }
  }
}

function comparesContainers(keyword: string, value: JsonValue): boolean {
  const isContainer = (held: JsonValue): boolean => typeof held === 'object' && held !== null
  if (keyword === 'const') return isContainer(value)
  return keyword === 'enum' && isList(value) && value.some(isContainer)
}

function references(node: JsonObject): string[] {
  return ['$ref', '$dynamicRef'].flatMap(keyword => {
    const reference = Object.hasOwn(node, keyword) ? node[keyword] : undefined
    return typeof reference === 'string' ? [reference] : []
  })
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
  const { isBeyondAjv, comparesContainers, uniqueOwners } = linker
  return { draft, schema: linked, isBeyondAjv, comparesContainers, uniqueOwners }
}

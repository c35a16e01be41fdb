import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type SchemaDraft, shapeOf, subschemasOf } from './json-schema-keywords.js'
import type { ValuePath } from './value-path.js'

/** A schema of a document: the node, where it stands, and the address that its references are relative to. */
export interface DocumentNode {
  readonly node: JsonValue
  readonly path: ValuePath | undefined
  readonly base: string
}

type Anchors = ReadonlyMap<string, DocumentNode>

const ROOT = 'https://schema.invalid/'
const NO_ANCHORS: Anchors = new Map()

function absolute(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function addressOf(url: string): { readonly resource: string; readonly fragment: string } {
  const hash = url.indexOf('#')
  if (hash < 0) return { resource: url, fragment: '' }
  return { resource: url.slice(0, hash), fragment: decoded(url.slice(hash + 1)) }
}

/** All schemas of one JSON Schema, and where its references lead. Nothing outside is ever fetched. */
export class SchemaDocument {
  readonly draft: SchemaDraft
  readonly nodes: DocumentNode[] = []
  readonly #resources = new Map<string, DocumentNode>()
  readonly #anchors = new Map<string, DocumentNode>()
  readonly #dynamicAnchors = new Map<string, Map<string, DocumentNode>>()
  readonly #known = new Map<object, DocumentNode>()

  constructor(schema: JsonObject, draft: SchemaDraft) {
    this.draft = draft
    const root = { node: schema, path: undefined, base: ROOT }
    this.#resources.set(ROOT, root)
    this.#walk(root)
  }

  /** The schema that a reference of a node leads to; `undefined` if it leads nowhere here. */
  resolve(reference: string, from: JsonObject): DocumentNode | undefined {
    const url = absolute(reference, this.#known.get(from)?.base ?? ROOT)
    if (url === undefined) return undefined
    const { resource, fragment } = addressOf(url)
    const start = this.#resources.get(resource)
    if (start === undefined || fragment === '') return start
    if (fragment.startsWith('/')) return this.#follow(start, fragment)
    return this.#anchors.get(`${start.base}#${fragment}`)
  }

  /** The name by which a `$dynamicRef` of a node looks for its target on the way there; `undefined` if it is like a `$ref`. */
  dynamicAnchor(reference: string, from: JsonObject): string | undefined {
    const url = absolute(reference, this.#known.get(from)?.base ?? ROOT)
    if (url === undefined) return undefined
    const { resource, fragment } = addressOf(url)
    const start = this.#resources.get(resource)
    return start && this.#dynamicAnchors.get(start.base)?.has(fragment) ? fragment : undefined
  }

  /** The dynamic anchors of the resource that a schema belongs to. */
  anchorsBeside(node: JsonValue): Anchors {
    const at = isRecord(node) ? this.#known.get(node) : undefined
    return (at && this.#dynamicAnchors.get(at.base)) ?? NO_ANCHORS
  }

  #follow(start: DocumentNode, pointer: string): DocumentNode | undefined {
    let { node, path } = start
    for (const token of pointer.slice(1).split('/')) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
      node = (node as JsonObject)[key] as JsonValue
      path = { parent: path, key }
    }
    if (typeof node === 'boolean') return { node, path, base: start.base }
    if (!isRecord(node)) return undefined
    // A target under a keyword of its own making was not met on the way.
    if (!this.#known.has(node)) this.#walk({ node, path, base: start.base })
    return this.#known.get(node)
  }

  #walk(from: DocumentNode): void {
    const waiting: DocumentNode[] = [from]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { node } = next
      if (!isRecord(node)) {
        this.nodes.push(next)
        continue
      }
      if (this.#known.has(node)) continue
      const placed = this.#place(next, node)
      this.#known.set(node, placed)
      this.nodes.push(placed)
      const below = this.#below(placed, node)
      for (let i = below.length - 1; i >= 0; i--) waiting.push(below[i] as DocumentNode)
    }
  }

  #below({ path, base }: DocumentNode, node: JsonObject): DocumentNode[] {
    return Object.keys(node).flatMap(keyword => {
      const shape = shapeOf(keyword, this.draft)
      if (shape === undefined) return []
      return subschemasOf(keyword, shape, node[keyword] as JsonValue).map(({ steps, node: child }) => ({
        node: child,
        path: steps.reduce<ValuePath | undefined>((parent, key) => ({ parent, key }), path),
        base,
      }))
    })
  }

  #place(at: DocumentNode, node: JsonObject): DocumentNode {
    const placed = this.#identify(at, node)
    const { base } = placed
    const text = (keyword: string): string | undefined => {
      const held = Object.hasOwn(node, keyword) ? node[keyword] : undefined
      return typeof held === 'string' ? held : undefined
    }
    const anchor = text('$anchor')
    if (anchor !== undefined) this.#anchors.set(`${base}#${anchor}`, placed)
    const dynamic = text('$dynamicAnchor')
    if (dynamic !== undefined) {
      this.#anchors.set(`${base}#${dynamic}`, placed)
      const beside = this.#dynamicAnchors.get(base) ?? new Map<string, DocumentNode>()
      this.#dynamicAnchors.set(base, beside.set(dynamic, placed))
    }
    return placed
  }

  #identify(at: DocumentNode, node: JsonObject): DocumentNode {
    const id = Object.hasOwn(node, '$id') ? node.$id : undefined
    const url = typeof id === 'string' ? absolute(id, at.base) : undefined
    if (url === undefined) return at
    const { resource, fragment } = addressOf(url)
    if (fragment !== '') {
      this.#anchors.set(`${resource}#${fragment}`, at)
      return at
    }
    // In draft-07 nothing counts beside a reference. What a whole document says it is called is still its name.
    if (this.draft === '7' && Object.hasOwn(node, '$ref')) {
      if (at.path === undefined) this.#resources.set(resource, at)
      return at
    }
    const placed = { ...at, base: resource }
    this.#resources.set(resource, placed)
    return placed
  }
}

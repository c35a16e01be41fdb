import { isNode, keysOf, listOf, own, type SchemaNode } from './read-schema.js'
import type { ReadNode } from './schema-draft.js'

/** Finds what a `$ref` of this node points to. */
export type RefResolver = (from: SchemaNode, ref: string) => RefTarget | undefined

export interface RefTarget {
  readonly schema: unknown
  /** The last word of the reference, for naming the type. */
  readonly hint: string
}

const BASE = 'schema://root/'
const SUBSCHEMAS = (
  'items additionalProperties additionalItems unevaluatedProperties unevaluatedItems contains not if then ' +
  'else propertyNames contentSchema'
).split(' ')
const SUBSCHEMA_LISTS = 'allOf anyOf oneOf prefixItems items'.split(' ')
const SUBSCHEMA_MAPS = 'properties patternProperties $defs definitions dependentSchemas dependencies'.split(
  ' ',
)

/** Resolves references inside one document: pointers, `$id`, anchors; nothing is ever fetched. */
export function createRefResolver(root: unknown, read: ReadNode): RefResolver {
  let index: DocumentIndex | undefined
  return (from, ref) => {
    // Most references are pointers from a root without `$id`s, but only the index knows that.
    index ??= indexDocument(root, read)
    return resolve(index, from, ref)
  }
}

interface DocumentIndex {
  /** The base URI of each schema. */
  readonly bases: Map<unknown, string>
  /** Schemas by absolute URI, anchors by `uri#anchor`. */
  readonly byUri: Map<string, unknown>
  readonly ambiguous: Set<string>
}

function indexDocument(root: unknown, read: ReadNode): DocumentIndex {
  const index: DocumentIndex = { bases: new Map(), byUri: new Map([[BASE, root]]), ambiguous: new Set() }
  const queue: [unknown, string][] = [[root, BASE]]
  for (let item = queue.pop(); item; item = queue.pop()) {
    const [node, outer] = item
    if (!isNode(node) || index.bases.has(node)) continue
    // What counts for nothing beside a reference names nothing; but a document keeps its name.
    const base = register(index, node, node === root ? node : read(node), outer)
    for (const child of childrenOf(node)) queue.push([child, base])
  }
  return index
}

function register(index: DocumentIndex, node: SchemaNode, view: SchemaNode, outer: string): string {
  const id = own(view, '$id')
  let base = outer
  if (typeof id === 'string') {
    if (id.startsWith('#')) index.byUri.set(outer + id, node)
    else base = absolute(id, outer)?.split('#')[0] ?? outer
    if (base !== outer) index.byUri.set(base, node)
  }
  index.bases.set(node, base)
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = own(view, keyword)
    if (typeof anchor !== 'string') continue
    index.byUri.set(`${base}#${anchor}`, node)
    // With two of one name the validator picks at run time; a printer cannot.
    if (keyword === '$dynamicAnchor') {
      if (index.byUri.has(`dynamic#${anchor}`)) index.ambiguous.add(anchor)
      index.byUri.set(`dynamic#${anchor}`, node)
    }
  }
  return base
}

function childrenOf(node: SchemaNode): unknown[] {
  const children: unknown[] = SUBSCHEMAS.map(key => own(node, key))
  for (const key of SUBSCHEMA_LISTS) for (const child of listOf(own(node, key)) ?? []) children.push(child)
  for (const key of SUBSCHEMA_MAPS) {
    const map = own(node, key)
    for (const name of keysOf(map)) if (isNode(map)) children.push(own(map, name))
  }
  return children
}

function resolve(index: DocumentIndex, from: SchemaNode, ref: string): RefTarget | undefined {
  const uri = absolute(ref, index.bases.get(from) ?? BASE)
  if (uri === undefined) return undefined
  const [document = '', fragment = ''] = splitOnce(uri)
  const pointer = decode(fragment)
  if (pointer === undefined) return undefined
  if (pointer === '' || pointer.startsWith('/')) {
    if (!index.byUri.has(document)) return undefined
    return follow(index.byUri.get(document), pointer)
  }
  const anchor = index.byUri.get(`${document}#${pointer}`)
  if (anchor === undefined || index.ambiguous.has(pointer)) return undefined
  return { schema: anchor, hint: pointer }
}

function follow(document: unknown, pointer: string): RefTarget | undefined {
  let schema = document
  let hint = ''
  for (const part of pointer.split('/').slice(1)) {
    hint = part.replace(/~1/g, '/').replace(/~0/g, '~')
    const list = listOf(schema)
    if (list) schema = /^\d+$/.test(hint) ? list[Number(hint)] : undefined
    else schema = isNode(schema) ? own(schema, hint) : undefined
    if (schema === undefined) return undefined
  }
  return { schema, hint }
}

function absolute(ref: string, base: string): string | undefined {
  if (ref.startsWith('#')) return base + ref
  try {
    return new URL(ref, base).href
  } catch {
    return undefined
  }
}

function splitOnce(uri: string): [string, string] {
  const hash = uri.indexOf('#')
  return hash < 0 ? [uri, ''] : [uri.slice(0, hash), uri.slice(hash + 1)]
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

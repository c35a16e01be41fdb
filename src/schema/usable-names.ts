import type { LinkedSchema, MutableSchema } from './link-schema.js'
import { setOwn } from './set-own.js'

const LONE_SURROGATES = /\p{Surrogate}/gu
const NAME_LISTS = new Set(['required', 'dependentRequired', 'dependencies'])
const VALUES = new Set(['const', 'enum'])

/** A property's name as it can be part of a URI, which half a character cannot. */
export function usableName(name: string): string {
  return name.replace(LONE_SURROGATES, unit => `\ufffd${unit.charCodeAt(0).toString(16)}`)
}

/** A copy of a schema that knows properties by their usable names. Recurses as deep as the schema. */
export function withUsableNames(linked: LinkedSchema): LinkedSchema {
  const copies = new Map<object, MutableSchema>()
  const schema = copied(linked.schema, undefined, copies) as MutableSchema
  const uniqueOwners = linked.uniqueOwners.map(owner => copies.get(owner) ?? owner)
  return { ...linked, schema, uniqueOwners }
}

/** `keyword` is what lists names or holds values on the way to the node, if something does. */
function copied(node: unknown, keyword: string | undefined, copies: Map<object, MutableSchema>): unknown {
  if (typeof node === 'string') return NAME_LISTS.has(keyword ?? '') ? usableName(node) : node
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(item => copied(item, keyword, copies))
  const copy: MutableSchema = {}
  copies.set(node, copy)
  for (const [key, value] of Object.entries(node)) {
    setOwn(copy, usableName(key), copied(value, within(keyword, key, value), copies))
  }
  return copy
}

function within(keyword: string | undefined, key: string, value: unknown): string | undefined {
  if (keyword !== undefined && VALUES.has(keyword)) return keyword
  if (NAME_LISTS.has(key) || VALUES.has(key)) return key
  // Lists of names, one for each property.
  return Array.isArray(value) ? keyword : undefined
}

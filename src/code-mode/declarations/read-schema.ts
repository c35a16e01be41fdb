/** A schema that is an object: its keywords, unchecked. */
export type SchemaNode = { readonly [keyword: string]: unknown }

const MAX_LIST = 1_000_000

/** An own property, or `undefined` where it is missing, inherited or throws when read. */
export function own(node: object, key: string): unknown {
  try {
    return Object.hasOwn(node, key) ? (node as SchemaNode)[key] : undefined
  } catch {
    return undefined
  }
}

/** True for objects that are no arrays, whatever else they may be. */
export function isNode(value: unknown): value is SchemaNode {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The array's elements, or `undefined` when the value is no array. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) && value.length <= MAX_LIST ? Array.from(value) : undefined
  } catch {
    return undefined
  }
}

/** The object's own string keys, in order; none when the value is no object. */
export function keysOf(value: unknown): readonly string[] {
  try {
    return isNode(value) ? Object.keys(value) : []
  } catch {
    return []
  }
}

/** The strings of an array, or none. */
export function stringsOf(value: unknown): readonly string[] {
  return (listOf(value) ?? []).filter(item => typeof item === 'string')
}

/** A count such as `minItems`, or `undefined`. */
export function countOf(node: SchemaNode, key: string): number | undefined {
  const value = own(node, key)
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : undefined
}

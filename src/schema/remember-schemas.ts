import type { JsonValue } from '../json/json-value.js'
import { isPlainArray, isPlainObject } from '../json/plain-object.js'

/** What was made of a schema, and the copy of the schema that it was made of. */
export interface MadeOfSchema {
  readonly copy: JsonValue
}

interface Entry<T> {
  readonly made: T
  /** Nothing in the schema can change any more. */
  readonly isFinal: boolean
}

// A schema that is larger is not worth comparing.
const MAX_DEPTH = 100

const { getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, isFrozen, keys } = Object

/**
 * Makes what a schema is needed for once, as long as the schema stays the same: one that is frozen throughout is known by
 * itself, any other is compared with what it was.
 */
export function rememberSchemas<T extends MadeOfSchema>(
  make: (schema: unknown) => T,
): (schema: unknown) => T {
  const known = new WeakMap<object, Entry<T>>()
  return schema => {
    if (typeof schema !== 'object' || schema === null) return make(schema)
    const entry = known.get(schema)
    if (entry !== undefined && (entry.isFinal || isStill(schema, entry.made.copy))) return entry.made
    const made = make(schema)
    known.set(schema, { made, isFinal: isFrozenThroughout(schema) })
    return made
  }
}

function isStill(schema: unknown, copy: JsonValue): boolean {
  try {
    return isSame(schema, copy, 0)
  } catch {
    return false
  }
}

// Recurses as deep as the copy, which is finite.
function isSame(value: unknown, copy: JsonValue, depth: number): boolean {
  if (typeof copy !== 'object' || copy === null) return Object.is(value, copy)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  if (getOwnPropertySymbols(value).length > 0) return false
  const names = getOwnPropertyNames(value)
  if (Array.isArray(copy)) {
    if (!isPlainArray(value) || value.length !== copy.length || names.length !== copy.length + 1) return false
    return copy.every((item, index) => isSame(value[index], item, depth + 1))
  }
  const copied = copy as { readonly [name: string]: JsonValue }
  const shown = keys(value)
  const copiedNames = keys(copied)
  if (!isPlainObject(value) || shown.length !== names.length || shown.length !== copiedNames.length)
    return false
  return copiedNames.every(
    (name, index) =>
      shown[index] === name &&
      isSame((value as { readonly [name: string]: unknown })[name], copied[name] as JsonValue, depth + 1),
  )
}

function isFrozenThroughout(schema: object): boolean {
  const seen = new Set<object>([schema])
  try {
    for (const part of seen) {
      if (!isFrozen(part)) return false
      for (const name of getOwnPropertyNames(part)) {
        const descriptor = getOwnPropertyDescriptor(part, name)
        if (descriptor === undefined || !('value' in descriptor)) return false
        const { value } = descriptor
        if (typeof value === 'object' && value !== null) seen.add(value)
      }
    }
    return true
  } catch {
    return false
  }
}

import type { JsonObject, JsonValue } from '../json/json-value.js'
import { setOwn } from './set-own.js'

// To look at fewer is part of what a visit costs.
const WIDE = 64

// What is found so many levels down is copied on its way up as often as one more look costs.
const LEVELS = 16

/** The value, with `count` called for all properties of a wide object whenever somebody goes through them. */
export function countKeys(value: JsonValue, count: (keys: number) => void, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  let copy: JsonValue | undefined
  const put = (key: string | number, part: JsonValue): void => {
    const counted = countKeys(part, count, depth + 1)
    if (counted === part) return
    copy ??= Array.isArray(value) ? [...value] : copyOf(value as JsonObject)
    setOwn(copy as Record<string, JsonValue>, String(key), counted)
  }
  if (Array.isArray(value)) for (const [i, part] of value.entries()) put(i, part)
  else for (const key of keys) put(key, (value as JsonObject)[key] as JsonValue)
  if (keys.length <= WIDE) return copy ?? value
  return new Proxy((copy ?? copyOf(value as JsonObject)) as JsonObject, {
    ownKeys(target) {
      const own = Reflect.ownKeys(target)
      count(own.length * (1 + depth / LEVELS))
      return own
    },
  }) as JsonValue
}

// A frozen object holds its proxy to more.
function copyOf(object: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(object)) setOwn(copy, key, object[key] as JsonValue)
  return copy
}

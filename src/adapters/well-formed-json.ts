import { wellFormed } from './well-formed.js'
import { setOwn } from './wire/json.js'

/**
 * A message without half characters, which JSON can write and the other side refuses, with the whole conversation: the value
 * itself where it has none. Only lists and plain objects are looked into.
 */
export function wellFormedJson<T>(value: T): T {
  if (typeof value === 'string') return wellFormed(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(wellFormedJson)
    return items.every((item, i) => item === value[i]) ? value : (items as T)
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: { [key: string]: unknown } = {}
  let isSame = true
  for (const [key, part] of Object.entries(value)) {
    const name = wellFormed(key)
    const made = wellFormedJson(part)
    if (name !== key || made !== part) isSame = false
    setOwn(copy, name, made)
  }
  return isSame ? value : (copy as T)
}

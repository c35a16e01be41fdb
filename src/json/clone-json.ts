import type { JsonValue } from './json-value.js'

type Mutable = JsonValue[] | Record<string, JsonValue>

/** A mutable copy of JSON data that shares nothing with it. Iterative. */
export function cloneJson<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const empty = (source: object): Mutable => (Array.isArray(source) ? [] : {})
  const root = empty(value)
  const stack: (readonly [source: object, target: Mutable])[] = [[value, root]]
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const [source, target] = task
    for (const [key, child] of Object.entries(source) as [string, JsonValue][]) {
      let copy = child
      if (typeof child === 'object' && child !== null) {
        copy = empty(child) as JsonValue
        stack.push([child, copy as Mutable])
      }
      if (key !== '__proto__') (target as Record<string, JsonValue>)[key] = copy
      else
        Object.defineProperty(target, key, {
          value: copy,
          writable: true,
          enumerable: true,
          configurable: true,
        })
    }
  }
  return root as unknown as T
}

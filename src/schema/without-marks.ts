import { isPlainArray, isPlainObject } from '../json/plain-object.js'
import { setOwn } from './set-own.js'

type Copy = { [key: string]: unknown }

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * A copy of a schema's plain objects without symbols and hidden properties: libraries leave such marks on the schemas that
 * they make, and mean nothing by them in JSON. Everything else, cycles too, stays as it is. May throw what a value throws.
 */
export function withoutMarks(schema: unknown): unknown {
  const copies = new Map<object, Copy | unknown[]>()
  const waiting: (readonly [from: object, to: Copy | unknown[]])[] = []
  const copyOf = (value: unknown): unknown => {
    if (!isHolder(value)) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const isList = isPlainArray(value)
    if (!isList && !isPlainObject(value)) return value
    const copy = isList ? [] : {}
    copies.set(value, copy)
    waiting.push([value, copy])
    return copy
  }
  const root = copyOf(schema)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next
    for (const key of Object.keys(from)) setOwn(to as Copy, key, copyOf((from as Copy)[key]))
  }
  return root
}

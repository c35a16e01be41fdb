import { canonicalJson } from '../../json/canonical-json.js'
import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { isRecord } from '../is-record.js'

/** JSON that is still being written. */
export type Draft = { [key: string]: JsonValue }

export { isRecord }

export const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value)

/** A list that an answer should have; empty where it has none. */
export const listOf = <T>(value: readonly T[] | null | undefined): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : []

/** An own property; what is inherited does not count. */
export const own = (node: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(node, key) ? node[key] : undefined

/** Sets an own property, `__proto__` too. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A JSON pointer, one step longer. */
export const below = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

export const sameJson = (a: JsonValue, b: JsonValue): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))

/** Code unit order, the same everywhere. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** What a local reference (`#`, `#/a/b`) leads to; `undefined` for any other and for one that leads nowhere. */
export function follow(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined
  const pointer = decoded(reference.slice(1))
  if (pointer === '') return root
  if (!pointer.startsWith('/')) return undefined
  let node: JsonValue = root
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as JsonObject)[key] as JsonValue
  }
  return typeof node === 'boolean' || isRecord(node) ? node : undefined
}

type Container = JsonValue[] | Draft
const emptyLike = (source: object): Container => (Array.isArray(source) ? [] : {})

/** A copy that shares nothing with the value and may be changed. Iterative. */
export function copyJson<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const root = emptyLike(value)
  const stack: (readonly [source: object, target: Container])[] = [[value, root]]
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const [source, target] = task
    for (const [key, child] of Object.entries(source) as [string, JsonValue][]) {
      const nested = typeof child === 'object' && child !== null
      const copy = nested ? emptyLike(child) : child
      if (nested) stack.push([child, copy as Container])
      setOwn(target as Draft, key, copy)
    }
  }
  return root as unknown as T
}

/** Whether a value nests deeper than so many levels. Iterative. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  const waiting: (readonly [JsonValue, number])[] = [[value, 1]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, level] = next
    if (typeof node !== 'object' || node === null) continue
    if (level > levels) return true
    for (const child of Object.values(node) as JsonValue[]) waiting.push([child, level + 1])
  }
  return false
}

/** Whether an object anywhere in a value has a key. Iterative. */
export function hasKey(value: JsonValue, key: string): boolean {
  const waiting: JsonValue[] = [value]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (Object.hasOwn(node, key)) return true
    for (const child of Object.values(node) as JsonValue[]) waiting.push(child)
  }
  return false
}

import type { JsonValue } from './json-value.js'

/** What is known of large frozen JSON that has been walked. */
export interface KnownJson {
  readonly depth: number
  readonly nodes: number
  /** UTF-8 bytes of its JSON text, at the most. */
  readonly mostBytes: number
}

/** From so many values on it is worth while to know them again. */
export const LARGE_NODES = 256

/** By its root. It is deeply frozen, lossless and nobody's to change. */
export const knownJson: WeakMap<object, KnownJson> = new WeakMap()

/** A text as long as this is likely to hold as many values. */
const LARGE_TEXT = 4_096

/** JSON that anybody wrote may grow when it is written again: `1e20` has 21 digits, half of a surrogate pair is an escape. */
const MOST_GROWTH = 6
/** That which `JSON.stringify` wrote is the same again, of at most three bytes for each unit. */
const MOST_UNIT_BYTES = 3
const NOT_ASCII = /[^\0-\x7f]/

/** UTF-8 bytes, at the most, of what is read from this text once it is written again. */
export function mostBytesOf(text: string, isOurs: boolean): number {
  if (!isOurs || text.length < LARGE_TEXT) return MOST_GROWTH * text.length
  return NOT_ASCII.test(text) ? MOST_UNIT_BYTES * text.length : text.length
}

/** How deep large JSON is nested that has been walked; infinite for anything else. */
export const knownDepth = (value: unknown): number =>
  knownJson.get(value as object)?.depth ?? Number.POSITIVE_INFINITY

function isLossy(value: JsonValue): boolean {
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
}

/**
 * Freezes what has just been read from JSON text of so many bytes at most, and what nobody else has, so that later snapshots of it
 * are the thing itself: to check and copy it as if it were anybody's takes many times as long. Small ones, and those with numbers
 * that JSON reads and cannot write, are left to that.
 */
export function adoptParsed(value: JsonValue, mostBytes: number): void {
  if (mostBytes < LARGE_TEXT || typeof value !== 'object' || value === null) return
  const found: object[] = [value]
  const depths = [1]
  let nodes = 1
  let deepest = 1
  for (let at = found.pop(); at !== undefined; at = found.pop()) {
    const depth = depths.pop() as number
    if (depth > deepest) deepest = depth
    const items: readonly JsonValue[] = Array.isArray(at) ? at : Object.values(at)
    nodes += items.length
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as JsonValue
      if (typeof item === 'object' && item !== null) {
        found.push(item)
        depths.push(depth + 1)
      } else if (isLossy(item)) return
    }
    Object.freeze(at)
  }
  if (nodes >= LARGE_NODES) knownJson.set(value, { depth: deepest, nodes, mostBytes })
}

/** The same for values that were read from one text of ours, with so many bytes of other texts put into them. */
export function adoptOurs(values: readonly JsonValue[], text: string, besideBytes = 0): void {
  const mostBytes = mostBytesOf(text, true) + besideBytes
  for (const value of values) adoptParsed(value, mostBytes)
}

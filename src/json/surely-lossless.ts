import { isPlainArray, isPlainObject } from './plain-object.js'

// Well within every limit that a full walk holds by default.
const MAX_DEPTH = 100
const MAX_NODES = 10_000
const MAX_CHARS = 1_000_000

const { getOwnPropertyNames, getOwnPropertySymbols, keys } = Object

/**
 * True for ordinary lossless JSON, of ordinary size, without copying it; false says nothing. Reads each property once and
 * never throws.
 */
export function isSurelyLossless(value: unknown): boolean {
  try {
    return isLossless(value, { nodes: 0, chars: 0 }, 0)
  } catch {
    return false
  }
}

interface Spent {
  nodes: number
  chars: number
}

function isLossless(value: unknown, spent: Spent, depth: number): boolean {
  if (++spent.nodes > MAX_NODES) return false
  if (typeof value === 'string') {
    spent.chars += value.length
    return spent.chars <= MAX_CHARS
  }
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'boolean'
  if (value === null) return true
  if (depth >= MAX_DEPTH) return false
  return Array.isArray(value) ? isLosslessArray(value, spent, depth) : isLosslessObject(value, spent, depth)
}

function isLosslessArray(list: readonly unknown[], spent: Spent, depth: number): boolean {
  const { length } = list
  if (length > MAX_NODES || !isPlainArray(list)) return false
  // Indices come first: with the last of them in its place there are no holes, nor anything behind it but the length.
  const names = getOwnPropertyNames(list)
  if (names.length !== length + 1 || (length > 0 && names[length - 1] !== `${length - 1}`)) return false
  if (getOwnPropertySymbols(list).length > 0) return false
  for (let i = 0; i < length; i++) if (!isLossless(list[i], spent, depth + 1)) return false
  return list.length === length
}

function isLosslessObject(value: object, spent: Spent, depth: number): boolean {
  if (!isPlainObject(value)) return false
  const names = keys(value)
  if (getOwnPropertyNames(value).length !== names.length || getOwnPropertySymbols(value).length > 0)
    return false
  for (const name of names) {
    spent.chars += name.length
    if (!isLossless((value as { readonly [name: string]: unknown })[name], spent, depth + 1)) return false
  }
  return spent.chars <= MAX_CHARS
}

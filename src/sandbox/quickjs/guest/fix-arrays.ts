import {
  apply,
  arrayPrototype,
  arraySort,
  bareList,
  define,
  describeFunction,
  max,
  min,
  NativeRangeError,
  NativeTypeError,
  setPrototypeOf,
  toObject,
  trunc,
} from './intrinsics.js'

const MAX_SAFE = 2 ** 53 - 1
const MAX_LENGTH = 2 ** 32 - 1

export type List = { readonly length: unknown; readonly [index: number]: unknown }

const toInteger = (value: unknown): number => {
  const number = +(value as number)
  return number > 0 || number < 0 ? trunc(number) : 0
}

function listOf(value: unknown): List {
  if (value === undefined || value === null) throw new NativeTypeError('not an object')
  return toObject(value) as List
}

export const lengthOf = (list: List): number => min(max(toInteger(list.length), 0), MAX_SAFE)

function checkLength(length: number): number {
  if (length > MAX_LENGTH) throw new NativeRangeError('invalid array length')
  return length
}

const asArray = (list: unknown[]): unknown[] => setPrototypeOf(list, arrayPrototype) as unknown[]

function placeIn(length: number, index: unknown): number {
  const at = toInteger(index)
  return at < 0 ? max(length + at, 0) : min(at, length)
}

// As methods, so that none can be called with `new`.
const copying = {
  with(this: unknown, index: unknown, value: unknown): unknown[] {
    const list = listOf(this)
    const length = lengthOf(list)
    const relative = toInteger(index)
    const at = relative < 0 ? length + relative : relative
    if (!(at >= 0 && at < length)) throw new NativeRangeError('invalid array index')
    checkLength(length)
    const copy = bareList<unknown>()
    for (let i = 0; i < length; i++) copy[i] = i === at ? value : list[i]
    return asArray(copy)
  },
  toReversed(this: unknown): unknown[] {
    const list = listOf(this)
    const length = checkLength(lengthOf(list))
    const copy = bareList<unknown>()
    for (let i = 0; i < length; i++) copy[i] = list[length - 1 - i]
    return asArray(copy)
  },
  toSorted(this: unknown, compare: unknown): unknown[] {
    if (compare !== undefined && typeof compare !== 'function') throw new NativeTypeError('not a function')
    const list = listOf(this)
    const length = checkLength(lengthOf(list))
    const copy = bareList<unknown>()
    for (let i = 0; i < length; i++) copy[i] = list[i]
    return apply(arraySort as () => unknown[], asArray(copy), [compare] as never)
  },
  toSpliced(this: unknown, ...args: unknown[]): unknown[] {
    const list = listOf(this)
    const length = lengthOf(list)
    const from = args.length === 0 ? 0 : placeIn(length, args[0])
    const most = length - from
    const skipped = args.length === 0 ? 0 : args.length === 1 ? most : min(max(toInteger(args[1]), 0), most)
    const added = max(args.length - 2, 0)
    if (length + added - skipped > MAX_SAFE) throw new NativeTypeError('invalid array length')
    checkLength(length + added - skipped)
    const copy = bareList<unknown>()
    let at = 0
    for (let i = 0; i < from; i++) copy[at++] = list[i]
    for (let i = 0; i < added; i++) copy[at++] = args[i + 2]
    for (let i = from + skipped; i < length; i++) copy[at++] = list[i]
    return asArray(copy)
  },
}

/**
 * Writes anew the methods that make a copy of an array. The engine's own make room for it first, and what the collector finds
 * there while a getter of the program's runs is what has lain there before.
 */
export function fixArrays(): void {
  const { with: withMember, toReversed, toSorted, toSpliced } = copying
  describeFunction(toSpliced, 'length', 2)
  define(arrayPrototype, 'with', withMember, false)
  define(arrayPrototype, 'toReversed', toReversed, false)
  define(arrayPrototype, 'toSorted', toSorted, false)
  define(arrayPrototype, 'toSpliced', toSpliced, false)
}

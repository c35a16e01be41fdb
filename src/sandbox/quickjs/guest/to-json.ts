import { type Copy, copyText } from './copy-text.js'
import {
  apply,
  arrayPrototype,
  bareList,
  create,
  getPrototypeOf,
  is,
  isArray,
  isEngineFailure,
  isFiniteNumber,
  isPlainText,
  keysOf,
  matches,
  NativeWeakSet,
  objectPrototype,
  ownKeys,
  quote,
  slice,
  weakSetAdd,
  weakSetHas,
} from './intrinsics.js'
import { objectFault, scalarFault } from './lossy-faults.js'

// Deeper text does not fit the engine's own parser on every runtime.
const MAX_DEPTH = 4000
/** No limit. */
const MAX_UNITS = 2 ** 53
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

interface Frame {
  readonly source: Record<PropertyKey, unknown>
  readonly keys: readonly string[] | undefined
  readonly count: number
  readonly parent: Frame | undefined
  readonly depth: number
  readonly copy: Copy
  at: number
  /** Units of the texts in it. */
  units: number
}

/** Why a value cannot cross: where it stands and what to write instead. */
export class Lossy {
  readonly path: string
  readonly what: string
  constructor(path: string, what: string) {
    this.path = path
    this.what = what
  }
}

/** How a member is written after what it is a member of. */
export const step = (key: string | number): string => {
  if (typeof key === 'number') return '[' + key + ']'
  const shown = key.length > 60 ? slice(key, 0, 60) + '…' : key
  return matches(IDENTIFIER, shown) ? '.' + shown : '[' + quote(shown) + ']'
}

function pathTo(root: string, frame: Frame | undefined): string {
  let tail = ''
  let steps = 0
  for (let f = frame; f !== undefined; f = f.parent) {
    const key = f.at - 1
    if (key < 0) continue
    steps += 1
    if (steps === 30) tail = '…' + tail
    if (steps < 30) tail = '' + step(f.keys === undefined ? key : (f.keys[key] as string)) + tail
  }
  return '' + root + tail
}

/**
 * The frame whose member closes a cycle. A cycle is not looked for on the way: it runs into the limit of depth, and only then
 * is the way searched for the first place that leads back.
 */
function closing(frame: Frame): Frame | undefined {
  const chain = bareList<Frame>()
  let count = 0
  for (let f: Frame | undefined = frame; f !== undefined; f = f.parent) chain[count++] = f
  const seen = new NativeWeakSet()
  while (count > 0) {
    const f = chain[--count] as Frame
    if (apply(weakSetHas, seen, [f.source])) return f.parent
    apply(weakSetAdd, seen, [f.source])
  }
  return undefined
}

/** What stands in a value's way out when a trap or getter of the program's throws. The engine's own failures go on. */
function unreadable(error: unknown, root: string, frame: Frame | undefined, what: string): unknown {
  if (error instanceof Lossy || isEngineFailure(error)) return error
  return new Lossy(pathTo(root, frame), what)
}

function open(root: string, value: object, parent: Frame | undefined, crossing: Crossing | undefined): Frame {
  const source = value as Record<PropertyKey, unknown>
  const depth = parent === undefined ? 1 : parent.depth + 1
  const prototype = getPrototypeOf(value)
  if (isArray(value)) {
    if (prototype !== arrayPrototype)
      throw new Lossy(pathTo(root, parent), 'an instance of a class that extends Array; use a plain array')
    const { length } = value
    const extra = ownKeys(value).length - length - 1
    if (extra !== 0)
      throw new Lossy(
        pathTo(root, parent),
        extra > 0
          ? 'an array with extra properties; use [...array]'
          : 'an array with holes; fill them, as Array.from(array, item => item ?? null) does',
      )
    if (crossing !== undefined) crossing.weight += CONTAINER_WEIGHT
    return {
      source,
      keys: undefined,
      count: length,
      parent,
      depth,
      copy: bareList() as never,
      at: 0,
      units: 0,
    }
  }
  if (prototype !== objectPrototype && prototype !== null)
    throw new Lossy(pathTo(root, parent), objectFault(value, prototype as object))
  const keys = keysOf(value)
  if (ownKeys(value).length !== keys.length)
    throw new Lossy(pathTo(root, parent), 'an object with symbol or hidden properties')
  if (crossing !== undefined) crossing.weight += CONTAINER_WEIGHT + keys.length * KEY_WEIGHT
  return { source, keys, count: keys.length, parent, depth, copy: create(null), at: 0, units: 0 }
}

// What the host takes for an object or a property, in bytes of text that take as long.
const CONTAINER_WEIGHT = 25
const KEY_WEIGHT = 25

// The engine takes twenty times as long to write a text as JSON as the host takes to read it as it is.
const LARGE_UNITS = 4096

/**
 * What values that cross together come to beside their JSON. Each message has one of its own: a getter that is read for one
 * may make calls.
 */
export interface Crossing {
  /** What the values weigh for whoever parses them, beside the bytes of their text. */
  weight: number
  /** Texts that were left out of JSON, where `null` stands in their place. */
  readonly texts: string[]
  /** The ways to them from the outermost value, each as JSON, with commas between. */
  ways: string
}

export const makeCrossing = (): Crossing => ({ weight: 0, texts: bareList(), ways: '' })

function setAside(crossing: Crossing, prefix: string, frame: Frame | undefined, text: string): null {
  const { texts, ways } = crossing
  let way = ''
  for (let f = frame; f !== undefined; f = f.parent) {
    const at = f.at - 1
    way = ',' + (f.keys === undefined ? at : quote(f.keys[at])) + way
  }
  way = prefix + way
  texts[texts.length] = text
  crossing.ways = ways + (ways === '' ? '[' : ',[') + (way[0] === ',' ? slice(way, 1) : way) + ']'
  return null
}

const PAST_LIMIT = 'too large'

/** Throws unless a value that is neither array nor object can cross. */
function checkScalar(value: unknown, rootName: string, frame: Frame | undefined): void {
  if (typeof value === 'string' || value === null || typeof value === 'boolean') return
  if (typeof value === 'number' && isFiniteNumber(value) && !is(value, -0)) return
  throw new Lossy(pathTo(rootName, frame), scalarFault(value))
}

function enter(
  rootName: string,
  value: object,
  frame: Frame | undefined,
  crossing: Crossing | undefined,
  most: number,
): Frame {
  if (frame === undefined || frame.depth < MAX_DEPTH)
    try {
      if (isArray(value) && value.length > most) throw new Lossy(rootName, PAST_LIMIT)
      return open(rootName, value, frame, crossing)
    } catch (error) {
      throw unreadable(error, rootName, frame, 'a proxy that cannot be read')
    }
  const at = closing(frame)
  if (at !== undefined) throw new Lossy(pathTo(rootName, at), 'circular')
  throw new Lossy(pathTo(rootName, frame), 'nested deeper than ' + MAX_DEPTH + ' levels')
}

/** Reads a container on from where it was left: until a container in it has to be gone into, or to its end. */
function readOn(
  frame: Frame,
  rootName: string,
  crossing: Crossing | undefined,
  prefix: string,
): object | undefined {
  const { keys, count, copy, source } = frame
  while (frame.at < count) {
    const at: number = frame.at++
    const key: string | number = keys === undefined ? at : (keys[at] as string)
    const value = source[key]
    if (typeof value === 'string') {
      frame.units += value.length
      copy[key] =
        value.length < LARGE_UNITS || crossing === undefined || !isPlainText(value)
          ? value
          : setAside(crossing, prefix, frame, value)
    } else if (typeof value === 'number') {
      if (value - value !== 0 || (value === 0 && 1 / value < 0)) checkScalar(value, rootName, frame)
      copy[key] = value
    } else if (typeof value === 'object' && value !== null) return value
    else {
      checkScalar(value, rootName, frame)
      copy[key] = value
    }
  }
  return undefined
}

/**
 * JSON text of a value that JSON carries without loss; throws `Lossy` for any other. Each property is read once into a copy
 * without prototypes, so that `toJSON` is never called and no setter sees anything, and nothing recurses. With a crossing,
 * large texts in it are set aside there, by ways that begin with the prefix, the way to the value as JSON. What is sure to have
 * more units than `most` is `Lossy` as well, and found out before its text is made.
 */
export function toJson(
  root: unknown,
  rootName: string,
  crossing?: Crossing,
  prefix = '',
  most: number = MAX_UNITS,
): string {
  if (typeof root !== 'object' || root === null) {
    checkScalar(root, rootName, undefined)
    if (typeof root !== 'string' || root.length < LARGE_UNITS || crossing === undefined || !isPlainText(root))
      return quote(root)
    setAside(crossing, prefix, undefined, root)
    return 'null'
  }
  const top = enter(rootName, root, undefined, crossing, most)
  let deepest = 1
  // A member takes two units at least.
  let left = most - 2 * top.count
  let frame: Frame | undefined = top
  while (frame !== undefined) {
    let value: object | undefined
    try {
      value = readOn(frame, rootName, crossing, prefix)
    } catch (error) {
      throw unreadable(error, rootName, frame, 'not readable: its getter threw')
    }
    if (value === undefined) {
      left -= frame.units
      if (left < 0) throw new Lossy(rootName, PAST_LIMIT)
      frame = frame.parent
      continue
    }
    const inner = enter(rootName, value, frame, crossing, left)
    left -= 2 * inner.count
    if (left < 0) throw new Lossy(rootName, PAST_LIMIT)
    frame.copy[frame.keys === undefined ? frame.at - 1 : (frame.keys[frame.at - 1] as string)] = inner.copy
    if (inner.depth > deepest) deepest = inner.depth
    frame = inner
  }
  return copyText(top.copy, deepest)
}

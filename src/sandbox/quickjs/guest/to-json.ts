import {
  arrayPrototype,
  getPrototypeOf,
  is,
  isArray,
  isFiniteNumber,
  keysOf,
  matches,
  objectPrototype,
  ownKeys,
  quote,
  slice,
} from './intrinsics.js'

// Deeper text does not fit the engine's own parser on every runtime.
export const MAX_DEPTH = 4000
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

interface Frame {
  readonly source: Record<PropertyKey, unknown>
  readonly keys: readonly string[] | undefined
  readonly count: number
  readonly parent: Frame | undefined
  at: number
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

const step = (key: string | number): string => {
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

// A cycle is not looked for on the way: it runs into the limit of depth, and only then is the chain searched for it.
function isCircular(source: unknown, frame: Frame): boolean {
  for (let f: Frame | undefined = frame; f !== undefined; f = f.parent) if (f.source === source) return true
  return false
}

function scalarFault(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined; leave the property out or use null'
    case 'number':
      return '' + (is(value, -0) ? '-0; add 0 to it' : value + '; use null or a string')
    case 'bigint':
      return 'a BigInt; use Number(n) or String(n)'
    case 'function':
      return 'a function; call it, or leave it out'
    default:
      return 'a ' + typeof value
  }
}

function objectFault(prototype: object): string {
  let name: unknown
  try {
    name = (prototype as { constructor: { name: unknown } }).constructor.name
  } catch {}
  switch (name) {
    case 'Date':
      return 'a Date; use date.toISOString()'
    case 'Map':
      return 'a Map; use Object.fromEntries(map)'
    case 'Set':
      return 'a Set; use [...set]'
    case 'Promise':
    case 'CallPromise':
      return 'a Promise; await it'
    default:
      return typeof name === 'string' && name !== ''
        ? 'an instance of ' + slice(name, 0, 60) + '; use a plain object'
        : 'not a plain object or array'
  }
}

function open(root: string, value: object, parent: Frame | undefined): Frame {
  const source = value as Record<PropertyKey, unknown>
  const fail = (what: string): never => {
    throw new Lossy(pathTo(root, parent), what)
  }
  const prototype = getPrototypeOf(value)
  if (isArray(value)) {
    if (prototype !== arrayPrototype) fail('an instance of a class that extends Array; use a plain array')
    const { length } = value
    if (ownKeys(value).length !== length + 1) fail('an array with holes or extra properties')
    return { source, keys: undefined, count: length, parent, at: 0 }
  }
  if (prototype !== objectPrototype && prototype !== null) fail(objectFault(prototype as object))
  const keys = keysOf(value)
  if (ownKeys(value).length !== keys.length) fail('an object with symbol or hidden properties')
  return { source, keys, count: keys.length, parent, at: 0 }
}

/**
 * JSON text of a value that JSON carries without loss; throws `Lossy` for any other. Each property is read once, `toJSON`
 * is never called, and nothing recurses.
 */
export function toJson(root: unknown, rootName: string): string {
  let text = ''
  let frame: Frame | undefined
  let depth = 0
  let value = root
  for (;;) {
    if (typeof value === 'string') text += quote(value)
    else if (value === null || typeof value === 'boolean') text += value
    else if (typeof value === 'number' && isFiniteNumber(value) && !is(value, -0)) text += value
    else if (typeof value !== 'object') throw new Lossy(pathTo(rootName, frame), scalarFault(value))
    else {
      depth += 1
      if (depth > MAX_DEPTH)
        throw new Lossy(
          pathTo(rootName, frame),
          isCircular(value, frame as Frame) ? 'circular' : 'nested deeper than ' + MAX_DEPTH + ' levels',
        )
      frame = open(rootName, value, frame)
      text += frame.keys === undefined ? '[' : '{'
    }
    while (frame !== undefined && frame.at === frame.count) {
      text += frame.keys === undefined ? ']' : '}'
      frame = frame.parent
      depth -= 1
    }
    if (frame === undefined) return text
    const { keys, source, at } = frame
    if (at > 0) text += ','
    frame.at = at + 1
    if (keys === undefined) value = source[at]
    else {
      const key = keys[at] as string
      text += quote(key) + ':'
      try {
        value = source[key]
      } catch {
        throw new Lossy(pathTo(rootName, frame), 'not readable: its getter threw')
      }
    }
  }
}

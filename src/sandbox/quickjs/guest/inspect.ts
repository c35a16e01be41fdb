import { callLabelOf } from './call-promise.js'
import {
  apply,
  arrayPrototype,
  beginning,
  dateIso,
  dateTime,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  is,
  isArray,
  isEngineFailure,
  isError,
  isFiniteNumber,
  keysOf,
  mapForEach,
  mapSize,
  max,
  min,
  NativeWeakSet,
  objectPrototype,
  probe,
  quote,
  regExpPrototype,
  regExpSource,
  regExpText,
  setForEach,
  setSize,
  slice,
  symbolText,
  toText,
  trunc,
  typedArrayTag,
  weakSetAdd,
  weakSetHas,
} from './intrinsics.js'
import { toJson } from './to-json.js'

/** A line longer than what a program may print in all is cut before it leaves: the rest would be refused anyway. */
let maxUnits = 0
/** Units that the text being made may still have. What comes then is left out. */
let room = 0

/** Sets how long a text is at the most. */
export function limitText(outputBytes: number): void {
  maxUnits = outputBytes + 1
}

/** Makes a text of its own: a getter that is read for one may print another. */
function withRoom(make: () => string): string {
  const outer = room
  room = maxUnits
  try {
    return make()
  } finally {
    room = outer
  }
}

/** A text no longer than that. */
export const limited = (text: string): string => (text.length > maxUnits ? slice(text, 0, maxUnits) : text)

const MAX_LEVELS = 16
const MAX_REASONS = 10

interface Path {
  readonly value: object
  readonly parent: Path | undefined
  readonly level: number
}

/** `Name: message` of an error, whatever it does when it is read. */
export function errorLine(error: Error): string {
  let name = 'Error'
  let message = ''
  try {
    const { name: given } = error
    if (typeof given === 'string' && given !== '') name = given
  } catch {}
  try {
    const { message: given } = error
    if (typeof given === 'string') message = given
  } catch {}
  return message === '' ? name : name + ': ' + message
}

function className(value: object): string {
  try {
    const { name } = (getPrototypeOf(value) as { constructor: { name: unknown } }).constructor
    if (typeof name === 'string' && name !== '') return beginning(name, 60)
  } catch {}
  return 'Object'
}

function scalar(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value.length > room ? beginning(value, room + 1) : value)
    case 'number':
      return is(value, -0) ? '-0' : '' + value
    case 'bigint':
      return value + 'n'
    case 'symbol':
      return probe(symbolText, value) as string
    case 'function': {
      let name: unknown
      try {
        name = value.name
      } catch {}
      return typeof name === 'string' && name !== '' ? '[function ' + beginning(name, 60) + ']' : '[function]'
    }
    case 'object':
      return value === null ? 'null' : undefined
    default:
      return '' + (value as boolean | undefined)
  }
}

function entries(value: object, forEach: unknown, keyed: boolean, path: Path): string {
  let text = ''
  probe(forEach, value, [
    (item: unknown, key: unknown) => {
      if (room < 0) return
      text += '' + (text === '' ? '' : ',') + (keyed ? show(key, path) + '=>' : '') + show(item, path)
    },
  ])
  return text
}

function builtIn(value: object, path: Path): string | undefined {
  if (isError(value)) return '[' + errorLine(value) + ']'
  const call = callLabelOf(value)
  if (call !== undefined) return '[Promise of ' + call + ': not awaited]'
  if (className(value) === 'Promise') return '[Promise: not awaited]'
  const time = probe(dateTime, value)
  if (time !== undefined)
    return !isFiniteNumber(time) ? '[Invalid Date]' : quote(probe(dateIso, value) as string)
  const maps = probe(mapSize, value)
  if (maps !== undefined)
    return 'Map(' + (maps as number) + '){' + entries(value, mapForEach, true, path) + '}'
  const sets = probe(setSize, value)
  if (sets !== undefined)
    return 'Set(' + (sets as number) + ')[' + entries(value, setForEach, false, path) + ']'
  if (value !== regExpPrototype && probe(regExpSource, value) !== undefined)
    return (probe(regExpText, value) as string | undefined) ?? '[RegExp]'
  return urlText(value)
}

/** A URL has no properties of its own to show. */
function urlText(value: object): string | undefined {
  const name = className(value)
  try {
    if (name === 'URL') return quote(toText((value as { href: unknown }).href))
    if (name === 'URLSearchParams') return quote(toText(value))
  } catch {}
  return undefined
}

const isIndex = (key: string): boolean => '' + ((key as unknown as number) >>> 0) === key

function members(value: object, path: Path): string {
  const source = value as Record<PropertyKey, unknown>
  const read = (key: PropertyKey): string => {
    try {
      return show(source[key], path)
    } catch (error) {
      if (isEngineFailure(error)) throw error
      return '[unreadable]'
    }
  }
  const named = (keys: readonly string[], from: number, isFirst: boolean): string => {
    let list = ''
    for (let i = from; i < keys.length && room >= 0; i++) {
      const key = scalar(keys[i]) as string
      room -= key.length
      list += '' + (isFirst && i === from ? '' : ',') + key + ':' + read(keys[i] as string)
    }
    return list
  }
  const isTyped = probe(typedArrayTag, value) !== undefined
  if (!isTyped && !isArray(value)) return '{' + named(keysOf(value), 0, true) + '}'
  const { length } = value as unknown[]
  let indexes: readonly string[] | undefined
  let text = ''
  for (let i = 0; i < length && room >= 0; ) {
    let holes = 0
    if (!isTyped && !isThere(value, i)) {
      indexes ??= keysOf(value)
      holes = nextIndex(indexes, i, length) - i
    }
    text += '' + (text === '' ? '' : ',')
    if (holes === 0) text += read(i)
    else text += '<' + holes + (holes === 1 ? ' empty item>' : ' empty items>')
    i += max(holes, 1)
  }
  if (room < 0) return '[' + text
  const keys = keysOf(value)
  // Indexes come first, and there may be fewer than the length says.
  let from = keys.length
  while (from > 0 && !isIndex(keys[from - 1] as string)) from -= 1
  return '[' + text + named(keys, from, text === '') + ']'
}

function isThere(list: object, index: number): boolean {
  try {
    return getOwnPropertyDescriptor(list, index) !== undefined
  } catch (error) {
    if (isEngineFailure(error)) throw error
    return true
  }
}

/** Where a list goes on behind a hole. */
function nextIndex(keys: readonly string[], hole: number, length: number): number {
  // Indexes come first, in order: the first past the hole is found by halves.
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = trunc((low + high) / 2)
    const key = keys[middle] as string
    if (isIndex(key) && (key as unknown as number) >>> 0 <= hole) low = middle + 1
    else high = middle
  }
  const next = keys[low]
  return next !== undefined && isIndex(next) ? min((next as unknown as number) >>> 0, length) : length
}

function show(value: unknown, parent: Path | undefined): string {
  const plain = scalar(value)
  room -= 1 + (plain?.length ?? 1)
  if (plain !== undefined) return plain
  const object = value as object
  for (let path = parent; path !== undefined; path = path.parent)
    if (path.value === object) return '[circular]'
  const level = (parent?.level ?? 0) + 1
  if (level > MAX_LEVELS) return isArray(object) ? '[…]' : '{…}'
  const path = { value: object, parent, level }
  const prototype = getPrototypeOf(object)
  const isPlain = prototype === objectPrototype || prototype === arrayPrototype || prototype === null
  // To ask what else it may be takes a hundred times as long.
  const known = isPlain && !isError(object) ? undefined : builtIn(object, path)
  if (known !== undefined) return known
  return '' + (isPlain ? '' : className(object) + ' ') + members(object, path)
}

/** What an error says of those that led to it: its `errors` and its `cause`, and theirs, each in a line of its own. */
export function reasons(error: Error): string {
  const seen = new NativeWeakSet()
  let text = ''
  let told = 0
  const tell = (path: string, value: unknown): void => {
    told += 1
    if (told > MAX_REASONS) return
    text += '\n  ' + path + ': ' + (isError(value) ? errorLine(value) : show(value, undefined))
    if (isError(value)) addOf(value, path + '.')
  }
  const addOf = (from: Error, path: string): void => {
    if (apply(weakSetHas, seen, [from])) return
    apply(weakSetAdd, seen, [from])
    const errors = getOwnPropertyDescriptor(from, 'errors')?.value as unknown
    const cause = getOwnPropertyDescriptor(from, 'cause')?.value as unknown
    if (isArray(errors))
      for (let i = 0; i < errors.length && told <= MAX_REASONS; i++)
        tell(path + 'errors[' + i + ']', errors[i])
    if (cause !== undefined) tell(path + 'cause', cause)
  }
  return withRoom(() => {
    try {
      addOf(error, '')
    } catch (failure) {
      if (isEngineFailure(failure)) throw failure
    }
    return told > MAX_REASONS ? text + '\n  …' : text
  })
}

/** What `console` prints for a value: strings as they are, JSON where that is the whole truth, else close to it. */
export function inspect(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return toJson(value, '', undefined, '', maxUnits)
  } catch {}
  return withRoom(() => {
    try {
      return isError(value) ? errorLine(value) + reasons(value) : show(value, undefined)
    } catch (error) {
      if (isEngineFailure(error)) throw error
      return '[unreadable]'
    }
  })
}

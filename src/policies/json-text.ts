import { utf8Bytes } from './utf8.js'

/** One value inside an object or an array, by where it stands in the text. */
export interface JsonChild {
  /** Where its key stands, quotes included; both -1 in an array. */
  readonly keyStart: number
  readonly keyEnd: number
  readonly start: number
  readonly end: number
  /** The container that it is; -1 for a scalar. */
  readonly container: number
}

// A text with more than this many objects and arrays is not worth the index.
const MAX_CONTAINERS = 2_000_000
const STRIDE = 1_024

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_OBJECT = 0x7d
const CLOSE_ARRAY = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09

/** Where a string ends that begins here, in a text that is JSON. Linear: no backslash is counted twice. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let at = quote
    while (text.charCodeAt(at - 1) === BACKSLASH) at--
    if ((quote - at) % 2 === 0) return quote + 1
  }
  return text.length
}

/**
 * A text that is a JSON object or array, with where its parts begin and end. The text itself is kept: numbers keep all their
 * digits, keys that stand twice stay. Made in one pass and without recursion.
 */
export class JsonText {
  readonly text: string
  readonly start: number
  readonly end: number
  // For each object and array, in the order they open: where it ends, how much it holds, which one opens after it.
  readonly #ends: number[] = []
  readonly #counts: number[] = []
  readonly #nexts: number[] = []
  /** UTF-8 bytes before each STRIDE-th unit; none where all units are one byte. */
  readonly #bytes: number[] | undefined

  private constructor(text: string, start: number, end: number) {
    this.text = text
    this.start = start
    this.end = end
    let total = 0
    const bytes: number[] = []
    for (let at = 0; at < text.length; at += STRIDE) {
      bytes.push(total)
      total += utf8Bytes(text, at, Math.min(at + STRIDE, text.length))
    }
    this.#bytes = total === text.length ? undefined : bytes
  }

  /** Reads a text; `undefined` if it is no object or array in JSON. */
  static read(text: string): JsonText | undefined {
    let start = 0
    let end = text.length
    while (start < end && isSpace(text.charCodeAt(start))) start++
    while (start < end && isSpace(text.charCodeAt(end - 1))) end--
    const first = text.charCodeAt(start)
    if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return undefined
    try {
      JSON.parse(text)
    } catch {
      return undefined
    }
    const json = new JsonText(text, start, end)
    return json.#index() ? json : undefined
  }

  #index(): boolean {
    const { text, end } = this
    const open: number[] = []
    let isEmpty = false
    for (let i = this.start; i < end; i++) {
      const unit = text.charCodeAt(i)
      if (isSpace(unit)) continue
      if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
        const id = open.pop() as number
        this.#ends[id] = i + 1
        this.#nexts[id] = this.#ends.length
        this.#counts[id] = isEmpty ? 0 : (this.#counts[id] as number) + 1
        isEmpty = false
        continue
      }
      isEmpty = false
      if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
        if (this.#ends.length === MAX_CONTAINERS) return false
        open.push(this.#ends.length)
        this.#ends.push(0)
        this.#nexts.push(0)
        this.#counts.push(0)
        isEmpty = true
      } else if (unit === QUOTE) i = stringEnd(text, i) - 1
      else if (unit === COMMA) {
        const id = open[open.length - 1] as number
        this.#counts[id] = (this.#counts[id] as number) + 1
      }
    }
    return true
  }

  /** How many items or properties an object or array has. */
  countOf(container: number): number {
    return this.#counts[container] ?? 0
  }

  isArray(start: number): boolean {
    return this.text.charCodeAt(start) === OPEN_ARRAY
  }

  isString(start: number): boolean {
    return this.text.charCodeAt(start) === QUOTE
  }

  /** UTF-8 bytes of a part of the text. */
  bytesOf(start: number, end: number): number {
    if (this.#bytes === undefined) return end - start
    if (end - start <= STRIDE) return utf8Bytes(this.text, start, end)
    return this.#bytesBefore(end) - this.#bytesBefore(start)
  }

  #bytesBefore(at: number): number {
    const stride = Math.floor(at / STRIDE)
    const known = this.#bytes?.[stride]
    if (known === undefined) return utf8Bytes(this.text, 0, at)
    return known + utf8Bytes(this.text, stride * STRIDE, at)
  }

  /** What an object or array holds, in order. */
  *childrenOf(container: number, start: number): Generator<JsonChild, void, undefined> {
    const { text } = this
    const isArray = this.isArray(start)
    const skip = (at: number): number => {
      let i = at
      while (isSpace(text.charCodeAt(i))) i++
      return i
    }
    let inner = container + 1
    let at = skip(start + 1)
    for (let left = this.countOf(container); left > 0; left--) {
      const keyStart = isArray ? -1 : at
      const keyEnd = isArray ? -1 : stringEnd(text, at)
      const valueStart = isArray ? at : skip(skip(keyEnd) + 1)
      const unit = text.charCodeAt(valueStart)
      const isContainer = unit === OPEN_OBJECT || unit === OPEN_ARRAY
      const end = isContainer ? (this.#ends[inner] as number) : this.#scalarEnd(valueStart, unit)
      yield { keyStart, keyEnd, start: valueStart, end, container: isContainer ? inner : -1 }
      if (isContainer) inner = this.#nexts[inner] as number
      at = skip(skip(end) + 1)
    }
  }

  #scalarEnd(start: number, first: number): number {
    if (first === QUOTE) return stringEnd(this.text, start)
    let end = start
    for (; ; end++) {
      const unit = this.text.charCodeAt(end)
      if (unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_ARRAY || isSpace(unit)) return end
    }
  }
}

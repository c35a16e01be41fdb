import type { JsonChild, JsonText } from './json-text.js'
import { grouped, more } from './utf8.js'

/** No part is given less room than what stands in its place takes. */
const LEAST = 48
/** Room for the last item or property, which says what was left out. */
const MARKER = 48
/** With less room than this an object or array is only named. */
const LEAST_OPEN = 2 + MARKER + LEAST
/** With less than this an item that is cut says little. */
const LEAST_ITEM = 160
const MOST_OF_A_KEY = 160
const MARK = '…'

type Part = Pick<JsonChild, 'start' | 'end' | 'container'>

interface Kept {
  readonly child: JsonChild
  readonly size: number
  room: number
}

/** An object or array that is being written. */
interface Open {
  readonly isArray: boolean
  readonly kept: readonly Kept[]
  readonly leftOut: number
  readonly keys: Set<string>
  next: number
}

/** Gives the parts that are larger than their room equal parts of what there is. */
function shareRoom(kept: readonly Kept[], spare: number): void {
  const large = kept.filter(part => part.size > part.room).sort((a, b) => a.size - b.size)
  let room = large.reduce((sum, part) => sum + part.room, spare)
  for (const [i, part] of large.entries()) {
    part.room = Math.min(part.size, Math.floor(room / (large.length - i)))
    room -= part.room
  }
}

/** Writes a JSON text anew in at most so many bytes: still JSON, what is kept letter for letter, what is not counted. */
export class JsonCutter {
  readonly #json: JsonText
  readonly #maxStringBytes: number
  readonly #out: string[] = []
  #hasCut = false

  /** `maxStringBytes` bounds each string, however much room there is. Not less than 64. */
  constructor(json: JsonText, maxStringBytes: number) {
    this.#json = json
    this.#maxStringBytes = maxStringBytes
  }

  /** True if something was left out; otherwise only white space was. */
  get hasCut(): boolean {
    return this.#hasCut
  }

  cut(maxBytes: number): string {
    const { start, end } = this.#json
    const stack: Open[] = []
    const write = (part: Part, room: number): void => {
      const open = this.#write(part, room)
      if (open !== undefined) stack.push(open)
    }
    write({ start, end, container: 0 }, maxBytes)
    for (let open = stack.at(-1); open !== undefined; open = stack.at(-1)) {
      const part = open.kept[open.next]
      if (part === undefined) {
        this.#close(open)
        stack.pop()
        continue
      }
      this.#out.push(open.next++ > 0 ? ',' : '')
      this.#writeKey(open, part.child)
      write(part.child, part.room)
    }
    return this.#out.join('')
  }

  /** Writes a part, or opens it if it is to be written part by part. */
  #write(part: Part, room: number): Open | undefined {
    const { start, end, container } = part
    const json = this.#json
    const size = json.bytesOf(start, end)
    if (size <= room && size <= this.#maxStringBytes) this.#out.push(json.text.slice(start, end))
    else if (container >= 0) return this.#open(part, room, size)
    else if (json.isString(start))
      this.#out.push(this.#cutString(start, end, Math.min(room, this.#maxStringBytes)))
    else if (size <= room) this.#out.push(json.text.slice(start, end))
    else this.#leave(`"${MARK} [a number of ${grouped(end - start)} digits]"`)
    return undefined
  }

  /** Writes what stands for something that is left out. */
  #leave(mark: string): void {
    this.#hasCut = true
    this.#out.push(mark)
  }

  #open({ start, container }: Part, room: number, size: number): Open | undefined {
    const json = this.#json
    const isArray = json.isArray(start)
    const count = json.countOf(container)
    if (size > room && room < LEAST_OPEN) {
      return this.#name(isArray, count)
    }
    const inside = room - 2 - (size > room ? MARKER : 0)
    const kept = this.#choose(start, container, inside)
    if (kept.length === 0 && count > 0) return this.#name(isArray, count)
    this.#out.push(isArray ? '[' : '{')
    return { isArray, kept, leftOut: count - kept.length, keys: new Set(), next: 0 }
  }

  /** Says what an object or array is of which nothing is shown. */
  #name(isArray: boolean, count: number): undefined {
    const many = isArray ? 'items' : 'properties'
    const one = isArray ? 'item' : 'property'
    this.#leave(`"${MARK} [${isArray ? 'array' : 'object'}, ${grouped(count)} ${count === 1 ? one : many}]"`)
  }

  /** The first parts that have room, each with its share. Few whole ones say more than many slivers; of objects, all keys. */
  #choose(start: number, container: number, room: number): Kept[] {
    const json = this.#json
    const isArray = json.isArray(start)
    const least = Math.max(isArray ? LEAST_ITEM : LEAST, Math.floor(room / (isArray ? 8 : 32)))
    const kept: Kept[] = []
    let spare = room
    for (const child of json.childrenOf(container, start)) {
      const size = json.bytesOf(child.start, child.end)
      const keyBytes = this.#keyBytes(child)
      // The first one is shown as far as it goes.
      const share = kept.length > 0 ? least : Math.max(LEAST, Math.min(least, spare - keyBytes))
      const first = Math.min(size, share)
      const needed = first + (kept.length > 0 ? 1 : 0) + keyBytes
      if (needed > spare) break
      spare -= needed
      kept.push({ child, size, room: first })
    }
    shareRoom(kept, spare)
    return kept
  }

  #keyBytes({ keyStart, keyEnd }: JsonChild): number {
    return keyStart < 0 ? 0 : 1 + Math.min(this.#json.bytesOf(keyStart, keyEnd), MOST_OF_A_KEY)
  }

  #writeKey({ keys }: Open, { keyStart, keyEnd }: JsonChild): void {
    if (keyStart < 0) return
    const isLong = this.#json.bytesOf(keyStart, keyEnd) > MOST_OF_A_KEY
    const key = isLong
      ? this.#cutString(keyStart, keyEnd, MOST_OF_A_KEY)
      : this.#json.text.slice(keyStart, keyEnd)
    keys.add(key.includes('\\') ? JSON.stringify(JSON.parse(key)) : key)
    this.#out.push(key, ':')
  }

  #close({ isArray, leftOut, keys, next }: Open): void {
    if (leftOut > 0) {
      const mark = isArray ? '' : ownMark(keys)
      const comma = next > 0 ? ',' : ''
      this.#leave(
        isArray
          ? `${comma}"${MARK} ${more(leftOut, 'item', 'items')}"`
          : `${comma}${mark}:"${more(leftOut, 'property', 'properties')}"`,
      )
    }
    this.#out.push(isArray ? ']' : '}')
  }

  /** The beginning of a string and how much follows. Neither an escape nor a surrogate pair is cut in two. */
  #cutString(start: number, end: number, maxBytes: number): string {
    const { text } = this.#json
    this.#hasCut = true
    let room = maxBytes - LEAST
    let kept = start + 1
    let left = 0
    for (let at = start + 1; at < end - 1; ) {
      const next = characterEnd(text, at)
      const bytes = left > 0 ? 0 : this.#json.bytesOf(at, next)
      if (left > 0 || bytes > room) left++
      else {
        room -= bytes
        kept = next
      }
      at = next
    }
    return `${text.slice(start, kept)}${MARK} [${more(left, 'character', 'characters')}]"`
  }
}

const DOTS = 8

/** A key for the mark that none of the keys beside it is, however these are written. */
function ownMark(keys: ReadonlySet<string>): string {
  for (let n = 0; ; n++) {
    const mark = `"${MARK}${n < DOTS ? '.'.repeat(n) : n}"`
    if (!keys.has(mark)) return mark
  }
}

const isPair = (text: string, at: number): boolean => {
  const low = text.charCodeAt(at + 1)
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00
}

const ESCAPED_PAIR = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y

/** Where a character of a JSON string ends, however it is written. */
function characterEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x5c) return at + (isPair(text, at) ? 2 : 1)
  if (text[at + 1] !== 'u') return at + 2
  ESCAPED_PAIR.lastIndex = at
  return at + (ESCAPED_PAIR.test(text) ? 12 : 6)
}

import { jsonBytes } from '../../../json/json-bytes.js'
import type { JsonValue } from '../../../json/json-value.js'

const BRACKETS = 2

/** Counts what a run gives back: the UTF-8 bytes of the JSON of its lines and of its value. */
export class OutputLedger {
  readonly logs: string[] = []
  readonly #limit: number
  #bytes = BRACKETS

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Keeps a line. False if it does not fit; the part of it that does is kept. */
  addLine(line: string): boolean {
    const comma = this.logs.length > 0 ? 1 : 0
    const room = this.#limit - this.#bytes - comma
    const bytes = jsonBytes(line, room)
    if (bytes <= room) {
      this.#bytes += bytes + comma
      this.logs.push(line)
      return true
    }
    const kept = fittingPrefix(line, room)
    if (kept !== '') {
      this.#bytes += jsonBytes(kept) + comma
      this.logs.push(kept)
    }
    return false
  }

  /** False if the value does not fit beside the lines. */
  fits(value: JsonValue): boolean {
    const room = this.#limit - this.#bytes
    return jsonBytes(value, room) <= room
  }
}

/** The longest start of a text whose JSON fits, cut between characters. */
function fittingPrefix(text: string, room: number): string {
  let low = 0
  let high = Math.min(text.length, Math.max(0, room - BRACKETS))
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (jsonBytes(text.slice(0, middle)) <= room) low = middle
    else high = middle - 1
  }
  const unit = text.charCodeAt(low - 1)
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff
  return text.slice(0, splitsPair ? low - 1 : low)
}

import { jsonBytes } from '../../../json/json-bytes.js'

const BRACKETS = 2

/** Counts what a run gives back: the UTF-8 bytes of the JSON of its lines and of its value. */
export class OutputLedger {
  readonly logs: string[] = []
  readonly #limit: number
  #bytes = BRACKETS
  #total: number | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What lines and value came to when they first did not fit. */
  get total(): number | undefined {
    return this.#total
  }

  /** Keeps a line. False if it does not fit; the part of it that does is kept. */
  addLine(line: string): boolean {
    const comma = this.logs.length > 0 ? 1 : 0
    const room = this.#limit - this.#bytes - comma
    const bytes = jsonBytes(line)
    if (bytes <= room) {
      this.#bytes += bytes + comma
      this.logs.push(line)
      return true
    }
    this.#total = this.#bytes + comma + bytes
    const kept = fittingPrefix(line, room)
    if (kept !== '') {
      this.#bytes += jsonBytes(kept) + comma
      this.logs.push(kept)
    }
    return false
  }

  /** False if a value of so many bytes does not fit beside the lines. */
  fits(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#limit) return true
    this.#total = this.#bytes + bytes
    return false
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

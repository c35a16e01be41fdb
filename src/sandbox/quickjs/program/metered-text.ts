/** Reads that any text may cost, and those that each of its characters adds. Ordinary programs take one or two. */
const READS = 50_000
const READS_PER_CHARACTER = 6

/** A parser has gone over a text so often that it would not end in reasonable time. */
export class ReadTooOften extends Error {
  override readonly name: string = 'ReadTooOften'
}

/**
 * A text that counts how often it is read, in the place of a string. A parser that goes back and tries again takes time
 * exponential in the nesting of what it is unsure of, and it runs on the host's side, where no deadline reaches it. This
 * stops it, whatever it stumbles over. It has what the parser asks of a string and no more.
 */
class MeteredText {
  readonly length: number
  readonly #text: string
  #left: number

  constructor(text: string) {
    this.#text = text
    this.length = text.length
    this.#left = READS + text.length * READS_PER_CHARACTER
  }

  /** Counts work of the parser beside reading. */
  charge(reads: number): void {
    this.#left -= reads
    if (this.#left < 0) throw new ReadTooOften()
  }

  charCodeAt(index: number): number {
    this.charge(1)
    return this.#text.charCodeAt(index)
  }

  slice(from: number, to: number): string {
    this.#left -= to - from
    return this.#text.slice(from, to)
  }

  toString(): string {
    return this.#text
  }
}

/** The text for a parser that calls only the methods above. */
export function meteredText(text: string): string {
  return new MeteredText(text) as unknown as string
}

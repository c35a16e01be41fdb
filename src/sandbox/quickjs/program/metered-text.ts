/** Reads that any text may cost, and those that each of its characters adds. Ordinary programs take two or three. */
const READS = 50_000
const READS_PER_CHARACTER = 12

/** Likewise for the pieces that are taken out of it. Ordinary programs have three or four for each token. */
const PIECES = 50_000
const PIECES_PER_CHARACTER = 8
/** The writer looks for a free name for each field with a value, and starts from the first one each time. */
const MOST_FIELDS = 3000
const IS_BETWEEN_TOKENS = /^(?:$|[\s/])/
const EQUALS = 61

/** A text was gone over so often that it would not end in reasonable time. */
export class ReadTooOften extends Error {
  override readonly name: string = 'ReadTooOften'
  readonly of: 'levels' | 'fields'
  constructor(of: 'levels' | 'fields') {
    super(`too many ${of}`)
    this.of = of
  }
}

/**
 * A text that counts how often it is read, in the place of a string. A parser that goes back and tries again takes time
 * exponential in the nesting of what it is unsure of, and so does one that writes what it has read and throws that away; and
 * both run on the host's side, where no deadline reaches them. This stops them, whatever they stumble over. It has what they
 * ask of a string and no more.
 */
class MeteredText {
  readonly length: number
  readonly #text: string
  #left: number
  #pieces: number
  #fields = 0
  #lastEnd = 0

  constructor(text: string) {
    this.#text = text
    this.length = text.length
    this.#left = READS + text.length * READS_PER_CHARACTER
    this.#pieces = PIECES + text.length * PIECES_PER_CHARACTER
  }

  charCodeAt(index: number): number {
    this.#left -= 1
    if (this.#left < 0) throw new ReadTooOften('levels')
    return this.#text.charCodeAt(index)
  }

  slice(start = 0, end = this.length): string {
    this.#pieces -= 1
    if (this.#pieces < 0) throw new ReadTooOften('levels')
    const piece = this.#text.slice(start, end)
    // A field's value is written ahead, without the sign before it.
    const isFieldValue = start !== this.#lastEnd && this.#text.charCodeAt(start - 1) === EQUALS
    if (isFieldValue && IS_BETWEEN_TOKENS.test(piece)) this.#fields += 1
    if (this.#fields > MOST_FIELDS) throw new ReadTooOften('fields')
    this.#lastEnd = end
    return piece
  }

  startsWith(found: string, position?: number): boolean {
    return this.#text.startsWith(found, position)
  }

  includes(found: string): boolean {
    return this.#text.includes(found)
  }

  indexOf(found: string, position?: number): number {
    return this.#text.indexOf(found, position)
  }

  replace(pattern: RegExp, replacement: string): string {
    return this.#text.replace(pattern, replacement)
  }

  toString(): string {
    return this.#text
  }
}

/** The text for a parser that calls only the methods above. */
export function meteredText(text: string): string {
  return new MeteredText(text) as unknown as string
}

import { Transform, type TransformCallback } from 'node:stream'

const NEWLINE = 10

/**
 * Hands on whole lines, each at once: who joins pieces must not do so for every piece again. A line of more bytes is left
 * out, and told.
 */
export class WholeLines extends Transform {
  readonly #maxBytes: number
  readonly #onTooLong: () => void
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number, onTooLong: () => void) {
    super()
    this.#maxBytes = maxBytes
    this.#onTooLong = onTooLong
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end + 1))
      from = end + 1
      this.#handOn()
    }
    this.#keep(chunk.subarray(from))
    done()
  }

  #keep(piece: Buffer): void {
    const before = this.#bytes
    this.#bytes += piece.length
    if (this.#bytes <= this.#maxBytes) this.#pieces.push(piece)
    else {
      this.#pieces = []
      if (before <= this.#maxBytes) this.#onTooLong()
    }
  }

  #handOn(): void {
    if (this.#bytes <= this.#maxBytes) this.push(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
  }
}

import { inNextTurn } from './next-turn.js'

// What calls take of the host is not the program's time: after so many, so much to read or so long, the host's own work goes
// first. Where the clock stands still during a turn, only the first two are seen.
const CALLS_PER_TURN = 32
const BYTES_PER_TURN = 1024 * 1024
const TURN_MS = 20

/** Calls that begin in the order they came: now, or what would hold the host too long in turns of their own. */
export class PacedCalls<T extends { readonly bytes: number }> {
  readonly #begin: (call: T) => void
  readonly #waiting: T[] = []
  #calls = 0
  #bytes = 0
  #beganAt = 0
  #dropTurn: (() => void) | undefined
  #closed = false

  constructor(begin: (call: T) => void) {
    this.#begin = begin
  }

  /** What has not begun, in order. */
  get waiting(): readonly T[] {
    return this.#waiting
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(call: T): void {
    this.#waiting.push(call)
  }

  /** Begins what has come. */
  start(): void {
    while (!this.#closed && this.#dropTurn === undefined) {
      const call = this.#waiting[0]
      if (call === undefined) return
      if (!this.#isFree(call.bytes)) {
        this.#dropTurn = inNextTurn(this.#takeTurn)
        return
      }
      if (this.#calls === 0) this.#beganAt = performance.now()
      this.#waiting.shift()
      this.#calls += 1
      this.#bytes += call.bytes
      this.#begin(call)
    }
  }

  /** Begins no more. */
  halt(): void {
    this.#closed = true
    this.#dropTurn?.()
  }

  /** Begins no more. Returns what has not begun. */
  close(): readonly T[] {
    this.halt()
    return this.#waiting.splice(0)
  }

  #isFree(bytes: number): boolean {
    if (this.#calls === 0) return true
    const fits = this.#calls < CALLS_PER_TURN && this.#bytes + bytes <= BYTES_PER_TURN
    return fits && performance.now() - this.#beganAt <= TURN_MS
  }

  readonly #takeTurn = (): void => {
    this.#dropTurn = undefined
    this.#calls = 0
    this.#bytes = 0
    this.start()
  }
}

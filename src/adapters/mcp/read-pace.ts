const AT_ONCE = 5
const PAUSE_MS = 5_000

/** How often a server's list is read on its word: some times as soon as it says so, then so often at most. */
export class ReadPace {
  #room = AT_ONCE
  #since = Date.now()

  /** Takes a place, and gives the milliseconds until it comes. */
  next(): number {
    const now = Date.now()
    const passed = Math.max(0, now - this.#since)
    this.#room = Math.min(AT_ONCE, this.#room + passed / PAUSE_MS) - 1
    this.#since = now
    return this.#room >= 0 ? 0 : -this.#room * PAUSE_MS
  }
}

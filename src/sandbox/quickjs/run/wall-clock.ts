/** A timer that can be held. Time held does not count; holds may overlap. */
export class WallClock {
  readonly #onExpire: () => void
  #leftMs: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #holds = 0
  #ended = false

  constructor(wallMs: number, onExpire: () => void) {
    this.#leftMs = wallMs
    this.#onExpire = onExpire
    this.#start()
  }

  /** Holds the clock until the answer is called; calling it again does nothing. */
  hold(): () => void {
    let held = true
    if (this.#holds++ === 0) this.#halt()
    return () => {
      if (!held) return
      held = false
      if (--this.#holds === 0) this.#start()
    }
  }

  end(): void {
    this.#ended = true
    this.#halt()
  }

  #start(): void {
    if (this.#ended) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onExpire, this.#leftMs)
  }

  #halt(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt))
  }
}

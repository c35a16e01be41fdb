/** What ran out, with its milliseconds. */
export type Overrun = { readonly timeoutMs: number } | { readonly idleMs: number }

type Timer = ReturnType<typeof setTimeout>

/** A total budget, and an idle one under it that each pulse begins anew. Runs from the start; `Infinity` is no budget. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #expire: (overrun: Overrun) => void
  readonly #idleMs: number
  #total: Timer | undefined
  #idle: Timer | undefined
  /** Resolves when a budget runs out, before the signal aborts. */
  readonly overrun: Promise<Overrun>

  constructor(totalMs: number, idleMs: number, reasonOf: (overrun: Overrun) => unknown) {
    let resolve!: (overrun: Overrun) => void
    this.overrun = new Promise(settle => {
      resolve = settle
    })
    this.#expire = overrun => {
      this.stop()
      resolve(overrun)
      this.#controller.abort(reasonOf(overrun))
    }
    this.#idleMs = idleMs
    if (Number.isFinite(totalMs))
      this.#total = setTimeout(() => this.#expire({ timeoutMs: totalMs }), totalMs)
    if (Number.isFinite(idleMs)) this.#armIdle()
  }

  /** Aborts when a budget runs out. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** There was progress. */
  pulse(): void {
    if (this.#idle === undefined) return
    clearTimeout(this.#idle)
    this.#armIdle()
  }

  /** Neither budget runs out any more. Twice does nothing. */
  stop(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#idle)
    this.#total = undefined
    this.#idle = undefined
  }

  #armIdle(): void {
    this.#idle = setTimeout(() => this.#expire({ idleMs: this.#idleMs }), this.#idleMs)
  }
}

import { WaitingLine } from './waiting-line.js'

/** Lets calls start so that never more than `limit` do within `perMs`, whenever one begins to count. */
export class RateWindow {
  readonly #limit: number
  readonly #perMs: number
  // The times of the last starts: a ring, once it is full, whose oldest is at `#oldest`.
  readonly #starts: number[] = []
  #oldest = 0
  #latest = Number.NEGATIVE_INFINITY
  readonly #line = new WaitingLine()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(limit: number, perMs: number) {
    this.#limit = limit
    this.#perMs = perMs
  }

  get waiting(): number {
    return this.#line.length
  }

  /** True if a new window would do the same. */
  get isIdle(): boolean {
    return this.waiting === 0 && performance.now() >= this.#latest + this.#perMs
  }

  /** Starts a call, if one may start now and none waits: 0. Else after how many milliseconds its turn will come. */
  start(): number {
    this.#advance()
    const now = performance.now()
    const waitMs = this.#waitMs(now, this.waiting)
    if (waitMs === 0) this.#record(now)
    return waitMs
  }

  /** Waits for a turn, behind those that wait already. False if the signal aborts first. */
  turn(signal: AbortSignal): Promise<boolean> {
    const turn = this.#line.join({}, signal, () => {
      if (this.waiting === 0) this.#disarm()
    })
    this.#advance()
    return turn
  }

  /** How long a call waits that has so many before it. */
  #waitMs(now: number, before: number): number {
    const start = this.#starts.length < this.#limit ? undefined : this.#at(before)
    if (start === undefined) return 0
    const rounds = 1 + Math.floor(before / this.#limit)
    return Math.max(0, Math.ceil(start + rounds * this.#perMs - now))
  }

  #at(index: number): number | undefined {
    return this.#starts[(this.#oldest + index) % this.#limit]
  }

  #record(now: number): void {
    this.#latest = now
    if (this.#starts.length < this.#limit) this.#starts.push(now)
    else {
      this.#starts[this.#oldest] = now
      this.#oldest = (this.#oldest + 1) % this.#limit
    }
  }

  /** Lets in those whose turn has come, and waits for the next one's. */
  #advance(): void {
    const now = performance.now()
    while (this.waiting > 0 && this.#waitMs(now, 0) === 0) {
      this.#record(now)
      this.#line.letIn()
    }
    if (this.waiting === 0) this.#disarm()
    else
      this.#timer ??= setTimeout(
        () => {
          this.#timer = undefined
          this.#advance()
        },
        this.#waitMs(now, 0),
      )
  }

  #disarm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

import { inNextTurn } from './next-turn.js'

/**
 * Calls back when so much time has gone by. Time held does not count; holds may overlap. Timers come before the messages that
 * came while the host was busy: those are heard first, and may hold or end what is only about to be told.
 */
export class Deadline {
  readonly #onPassed: () => void
  #ms: number
  #leftMs: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #dropTurn: (() => void) | undefined
  #holds = 0
  #ended = false

  constructor(ms: number, onPassed: () => void) {
    this.#ms = ms
    this.#leftMs = ms
    this.#onPassed = onPassed
    this.#start()
  }

  /** True from when the time is up until that is told. */
  get isUp(): boolean {
    return this.#dropTurn !== undefined
  }

  /** Milliseconds gone by, without those held. */
  get spentMs(): number {
    return this.#ms - (this.#timer === undefined ? this.#leftMs : this.#leftNow())
  }

  /**
   * Holds the time until the answer is called; calling it again does nothing. `spentMs` is for who hears late of a hold: so much had
   * gone by when it began.
   */
  hold(spentMs: number = this.#ms): () => void {
    let held = true
    if (this.#holds++ === 0) this.#halt()
    this.#leftMs = Math.max(this.#leftMs, this.#ms - spentMs)
    if (this.#leftMs > 0) this.#drop()
    return () => {
      if (!held) return
      held = false
      if (--this.#holds === 0) this.#start()
    }
  }

  /** Gives so much more, once the time has passed. */
  extend(ms: number): void {
    this.#ms += ms
    this.#leftMs += ms
    if (this.#holds === 0) this.#start()
  }

  end(): void {
    this.#ended = true
    this.#halt()
    this.#drop()
  }

  #start(): void {
    if (this.#ended || this.isUp) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onTimer, this.#leftMs)
  }

  #halt(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = this.#leftNow()
  }

  #drop(): void {
    this.#dropTurn?.()
    this.#dropTurn = undefined
  }

  #leftNow(): number {
    return Math.max(0, this.#leftMs - (performance.now() - this.#startedAt))
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined
    this.#leftMs = 0
    this.#dropTurn = inNextTurn(() => {
      this.#dropTurn = undefined
      this.#onPassed()
    })
  }
}

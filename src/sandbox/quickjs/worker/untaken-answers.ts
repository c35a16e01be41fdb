import { LARGE_ANSWER } from './messages.js'

/** Answers that were sent to a worker and that it has not read: they take memory of the process. */
export class UntakenAnswers {
  readonly #most: number
  #units = 0
  #hasEnded = false
  #room: Promise<void> | undefined
  #makeRoom = (): void => {}

  /** `most` is how many characters may be on the way before new calls wait. */
  constructor(most: number) {
    this.#most = most
  }

  add(units: number): void {
    if (units >= LARGE_ANSWER) this.#units += units
  }

  take(units: number): void {
    this.#units = Math.max(0, this.#units - units)
    if (this.#units <= this.#most) this.#open()
  }

  /** What to wait for before one more call starts; `undefined` if there is room. */
  wait(): Promise<void> | undefined {
    if (this.#hasEnded || this.#units <= this.#most) return undefined
    this.#room ??= new Promise(resolve => {
      this.#makeRoom = resolve
    })
    return this.#room
  }

  /** Whoever waits need not wait any more. */
  end(): void {
    this.#hasEnded = true
    this.#open()
  }

  #open(): void {
    this.#makeRoom()
    this.#room = undefined
  }
}

/** Answers that were sent to a worker and that its program has not taken: they take memory of the process. */
export class UntakenAnswers {
  readonly #most: number
  readonly #sizes = new Map<number, number>()
  #units = 0
  #hasEnded = false
  #room: Promise<void> | undefined
  #makeRoom = (): void => {}

  /** `most` is how many characters there may be before new calls wait. */
  constructor(most: number) {
    this.#most = most
  }

  add(call: number, units: number): void {
    this.#sizes.set(call, units)
    this.#units += units
  }

  take(call: number): void {
    this.#units -= this.#sizes.get(call) ?? 0
    this.#sizes.delete(call)
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

/** Calls that wait for their turn, first come, first served. */
export class WaitingLine<T extends object> {
  readonly #waiting = new Map<T, () => void>()

  get length(): number {
    return this.#waiting.size
  }

  /** Resolves to true when the turn of `one` has come, or to false if the signal aborts before. */
  join(one: T, signal: AbortSignal, onLeft?: () => void): Promise<boolean> {
    return new Promise(resolve => {
      const leave = (): void => {
        this.#waiting.delete(one)
        signal.removeEventListener('abort', leave)
        resolve(false)
        onLeft?.()
      }
      this.#waiting.set(one, () => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      })
      signal.addEventListener('abort', leave)
    })
  }

  /** Lets in the one that has waited longest, of those that are wanted; `undefined` if there is none. */
  letIn(isWanted: (one: T) => boolean = () => true): T | undefined {
    for (const [one, enter] of this.#waiting) {
      if (!isWanted(one)) continue
      this.#waiting.delete(one)
      enter()
      return one
    }
    return undefined
  }
}

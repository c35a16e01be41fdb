/** A place in a queue. Whoever has one leaves it, whether it had its turn or not. */
export interface Place {
  /** Resolves when all who came before have left. */
  readonly turn: Promise<void>
  leave(): void
}

/** Lines up those who ask the same, in order of arrival. Who leaves early neither overtakes nor holds anybody back. */
export class AskQueue {
  readonly #lasts = new Map<string, Promise<void>>()

  join(key: string): Place {
    const turn = this.#lasts.get(key) ?? Promise.resolve()
    let leave!: () => void
    const left = new Promise<void>(resolve => {
      leave = resolve
    })
    const over = turn.then(() => left)
    this.#lasts.set(key, over)
    void over.then(() => {
      if (this.#lasts.get(key) === over) this.#lasts.delete(key)
    })
    return { turn, leave }
  }
}

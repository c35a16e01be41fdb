import { ToolgateError } from '../errors/toolgate-error.js'

/** The `next` of one stage: it goes further in while the stage runs, and refuses once the stage has ended. */
export class StageNext<T> {
  readonly #enter: () => Promise<T>
  readonly #pending = new Set<Promise<T>>()
  #ended = false

  constructor(enter: () => Promise<T>) {
    this.#enter = enter
  }

  /** A rejection that the stage drops does not become the process's. */
  readonly call = (): Promise<T> => {
    const promise = this.#ended ? this.#refuse() : this.#enter()
    this.#pending.add(promise)
    const done = (): void => {
      this.#pending.delete(promise)
    }
    promise.then(done, done)
    return promise
  }

  /** The stage has ended: nothing more is entered through it. */
  end(): void {
    this.#ended = true
  }

  /** Waits for what the stage entered and did not wait for. */
  async drain(): Promise<void> {
    if (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }

  async #refuse(): Promise<never> {
    throw new ToolgateError('INVALID_CALL', 'next() was called after its stage had ended; nothing ran')
  }
}

import { ToolgateError } from '../errors/toolgate-error.js'

/** The `next` of one stage: it goes further in while the stage runs, and refuses once the stage has ended. */
export class StageNext<T> {
  readonly #enter: () => Promise<T>
  #open = 0
  #ended = false
  #onDrained: (() => void) | undefined

  constructor(enter: () => Promise<T>) {
    this.#enter = enter
  }

  /** A rejection that the stage drops does not become the process's. */
  readonly call = (): Promise<T> => {
    const promise = this.#ended ? this.#refuse() : this.#enter()
    this.#open++
    promise.then(this.#close, this.#close)
    return promise
  }

  readonly #close = (): void => {
    this.#open--
    if (this.#open === 0) this.#onDrained?.()
  }

  /** True while something that the stage entered has not ended. */
  get isOpen(): boolean {
    return this.#open > 0
  }

  /** The stage has ended: nothing more is entered through it. */
  end(): void {
    this.#ended = true
  }

  /** Resolves when all that the stage entered has ended. */
  drained(): Promise<void> {
    return new Promise(resolve => {
      if (this.#open === 0) resolve()
      else this.#onDrained = resolve
    })
  }

  async #refuse(): Promise<never> {
    throw new ToolgateError('INVALID_CALL', 'next() was called after its stage had ended; nothing ran')
  }
}

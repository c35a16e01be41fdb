/**
 * What can end a call early: its caller's signal, or the disposal of its scope. The signal that joins them is made only
 * when somebody asks for it, and nothing stays on the caller's signal once the call has ended.
 */
export class CallLifetime {
  readonly #caller: AbortSignal | undefined
  readonly #listeners = new Set<() => void>()
  #controller: AbortController | undefined
  #reason: unknown
  #aborted = false
  #ended = false
  #listening = false

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
  }

  get aborted(): boolean {
    return this.#aborted || (!this.#ended && this.#caller?.aborted === true)
  }

  get reason(): unknown {
    return this.#aborted ? this.#reason : this.#caller?.reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.reason)
      else this.#listen()
    }
    return this.#controller.signal
  }

  /** Aborts the call on the registry's behalf. The first reason stands. */
  abort(reason: unknown): void {
    if (this.#aborted || this.#ended) return
    this.#aborted = true
    this.#reason = reason
    this.#caller?.removeEventListener('abort', this.#follow)
    this.#controller?.abort(reason)
    for (const listener of [...this.#listeners]) listener()
  }

  /** Calls `listener` when the call aborts, or at once if it has; the returned function takes it off. */
  onAbort(listener: () => void): () => void {
    if (this.aborted) {
      listener()
      return () => {}
    }
    this.#listeners.add(listener)
    this.#listen()
    return () => this.#listeners.delete(listener)
  }

  /** The call is over: lets go of the caller's signal. */
  end(): void {
    if (this.#caller?.aborted) this.abort(this.#caller.reason)
    this.#ended = true
    this.#listeners.clear()
    if (this.#listening) this.#caller?.removeEventListener('abort', this.#follow)
  }

  readonly #follow = (): void => this.abort(this.#caller?.reason)

  #listen(): void {
    if (this.#listening || this.#ended || this.#caller === undefined) return
    this.#listening = true
    this.#caller.addEventListener('abort', this.#follow)
  }
}

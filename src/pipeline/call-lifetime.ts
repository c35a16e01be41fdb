/**
 * What can end a call early: its caller's signals, or the disposal of its scope. The signal that joins them is made only
 * when somebody asks for it, and nothing stays on a caller's signal once the call has ended.
 */
export class CallLifetime {
  readonly #sources: readonly AbortSignal[]
  readonly #listeners = new Set<() => void>()
  #controller: AbortController | undefined
  #reason: unknown
  #aborted = false
  #ended = false
  #listening = false

  constructor(...sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources.filter(source => source !== undefined)
  }

  get aborted(): boolean {
    this.#notice()
    return this.#aborted
  }

  get reason(): unknown {
    this.#notice()
    return this.#reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.#reason)
      else this.#listen()
    }
    return this.#controller.signal
  }

  /** Aborts the call. The first reason stands. */
  abort(reason: unknown): void {
    if (this.#aborted || this.#ended) return
    this.#aborted = true
    this.#reason = reason
    this.#unlisten()
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

  /** The call is over: lets go of the caller's signals. */
  end(): void {
    this.#notice()
    this.#ended = true
    this.#listeners.clear()
    this.#unlisten()
  }

  // A source may have aborted before anything listened to it.
  #notice(): void {
    if (this.#aborted || this.#ended || this.#listening) return
    const first = this.#sources.find(source => source.aborted)
    if (first !== undefined) this.abort(first.reason)
  }

  readonly #follow = (event: Event): void => this.abort((event.target as AbortSignal).reason)

  #listen(): void {
    if (this.#listening || this.#ended) return
    this.#listening = true
    for (const source of this.#sources) source.addEventListener('abort', this.#follow)
  }

  #unlisten(): void {
    if (!this.#listening) return
    this.#listening = false
    for (const source of this.#sources) source.removeEventListener('abort', this.#follow)
  }
}

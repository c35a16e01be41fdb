import { followSignal } from './follow-signal.js'

const NONE: readonly AbortSignal[] = []

/**
 * What can end a call early: its caller's signals, or the disposal of its scope. The signal that joins them is made only
 * when somebody asks for it, and nothing stays on a caller's signal once the call has ended.
 */
export class CallLifetime {
  readonly #sources: readonly AbortSignal[]
  #listeners: Set<() => void> | undefined
  #controller: AbortController | undefined
  #reason: unknown
  #aborted = false
  #ended = false
  #unfollow: (() => void)[] | undefined

  constructor(own?: AbortSignal, batch?: AbortSignal) {
    this.#sources =
      own === undefined ? (batch === undefined ? NONE : [batch]) : batch === undefined ? [own] : [own, batch]
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
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }

  /** Calls `listener` when the call aborts, or at once if it has; the returned function takes it off. */
  onAbort(listener: () => void): () => void {
    if (this.aborted) {
      listener()
      return () => {}
    }
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    this.#listen()
    return () => this.#listeners?.delete(listener)
  }

  /** The call is over: lets go of the caller's signals. */
  end(): void {
    this.#notice()
    this.#ended = true
    this.#listeners = undefined
    this.#unlisten()
  }

  // A source may have aborted before anything listened to it.
  #notice(): void {
    if (this.#aborted || this.#ended || this.#unfollow !== undefined) return
    const first = this.#sources.find(source => source.aborted)
    if (first !== undefined) this.abort(first.reason)
  }

  #listen(): void {
    if (this.#unfollow !== undefined || this.#ended) return
    this.#unfollow = this.#sources.map(source => followSignal(source, () => this.abort(source.reason)))
  }

  #unlisten(): void {
    for (const unfollow of this.#unfollow ?? []) unfollow()
    this.#unfollow = undefined
  }
}

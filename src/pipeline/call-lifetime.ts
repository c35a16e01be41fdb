import { abortReason, followSignal, isAborted } from './follow-signal.js'

type AbortSource = AbortSignal | CallLifetime

/**
 * What can end a call, or a part of it, early: signals, the disposal of its scope, a stage that left it. The signal that
 * joins them is made only when somebody asks for it, and nothing stays on a caller's signal once the lifetime has ended.
 */
export class CallLifetime {
  readonly #first: AbortSource | undefined
  readonly #second: AbortSource | undefined
  #listeners: (() => void)[] | undefined
  #controller: AbortController | undefined
  #reason: unknown
  #aborted = false
  #left = false
  #ended = false
  #listening = false
  #unfollowFirst: (() => void) | undefined
  #unfollowSecond: (() => void) | undefined

  /** Where both have aborted already, the first one's reason stands. */
  constructor(first?: AbortSource, second?: AbortSource) {
    this.#first = first
    this.#second = second
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

  /** True if what runs here is nobody's any more: a stage around it has gone on without it. */
  get left(): boolean {
    if (this.#left) return true
    return this.#second instanceof CallLifetime && this.#second.left
  }

  /** Aborts. The first reason stands. */
  abort(reason: unknown): void {
    if (this.#aborted || this.#ended) return
    this.#aborted = true
    this.#reason = reason
    this.#unlisten()
    this.#controller?.abort(reason)
    const listeners = this.#listeners
    this.#listeners = undefined
    if (listeners !== undefined) for (const listener of listeners) listener()
  }

  /** Aborts what nobody waits for any more. */
  leave(reason: unknown): void {
    this.#left = true
    this.abort(reason)
  }

  /** Calls `listener` when this aborts, or at once if it has. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener()
    else {
      if (this.#listeners === undefined) this.#listeners = [listener]
      else this.#listeners.push(listener)
      this.#listen()
    }
  }

  /** Takes a listener off. */
  offAbort(listener: () => void): void {
    const listeners = this.#listeners
    if (listeners === undefined) return
    if (listeners.length === 1 && listeners[0] === listener) this.#listeners = undefined
    else this.#listeners = listeners.filter(other => other !== listener)
  }

  /** It is over: lets go of the sources. */
  end(): void {
    this.#notice()
    this.#ended = true
    this.#listeners = undefined
    this.#unlisten()
  }

  // A source may have aborted before anything listened to it.
  #notice(): void {
    if (this.#aborted || this.#ended || this.#listening) return
    if (this.#first !== undefined && isAborted(this.#first)) this.abort(abortReason(this.#first))
    else if (this.#second !== undefined && isAborted(this.#second)) this.abort(abortReason(this.#second))
  }

  #listen(): void {
    if (this.#listening || this.#ended) return
    this.#listening = true
    if (this.#first !== undefined) this.#unfollowFirst = this.#follow(this.#first)
    if (this.#second !== undefined) this.#unfollowSecond = this.#follow(this.#second)
  }

  #follow(source: AbortSource): () => void {
    const onAbort = (): void => this.abort(abortReason(source))
    if (!(source instanceof CallLifetime)) return followSignal(source, onAbort)
    source.onAbort(onAbort)
    return () => source.offAbort(onAbort)
  }

  #unlisten(): void {
    this.#unfollowFirst?.()
    this.#unfollowSecond?.()
    this.#unfollowFirst = undefined
    this.#unfollowSecond = undefined
    this.#listening = false
  }
}

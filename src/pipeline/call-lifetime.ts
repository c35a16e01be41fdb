import { abortReason, abortTime, followSignal, isAborted } from './follow-signal.js'

type AbortSource = AbortSignal | CallLifetime

// Calls nest, and each abort sets off the next one's: one after the other, so that the stack does not grow with the nesting.
let turns: (() => void)[] | undefined

function inTurn(turn: () => void): void {
  if (turns !== undefined) {
    turns.push(turn)
    return
  }
  turns = [turn]
  try {
    for (let i = 0; i < turns.length; i++) turns[i]?.()
  } finally {
    turns = undefined
  }
}

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
  #abortedAt = 0
  #left = false
  #ended = false
  #listening = false
  #enders: Set<() => void> | undefined
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
  abort(reason: unknown, at: number = Date.now()): void {
    if (this.#aborted || this.#ended) return
    this.#aborted = true
    this.#abortedAt = at
    this.#reason = reason
    this.#unlisten()
    const listeners = this.#listeners
    this.#listeners = undefined
    if (this.#controller === undefined && listeners === undefined) return
    inTurn(() => {
      this.#controller?.abort(reason)
      if (listeners !== undefined) for (const listener of listeners) listener()
    })
  }

  /** What is left, in milliseconds, of a grace that began with the abort: one for all that has to end. */
  graceLeftMs(graceMs: number): number {
    return Math.max(0, this.#abortedAt + graceMs - Date.now())
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

  /** It is over: lets go of the sources, and of what still waits for something that runs in it. */
  end(): void {
    this.#notice()
    this.#ended = true
    this.#listeners = undefined
    this.#unlisten()
    const enders = this.#enders
    this.#enders = undefined
    if (enders !== undefined) for (const ender of enders) ender()
  }

  /** Calls `listener` when this, or what it is a part of, is over; or at once if it is. */
  onEnd(listener: () => void): void {
    if (this.#ended) {
      listener()
      return
    }
    this.#enders ??= new Set()
    this.#enders.add(listener)
    if (this.#second instanceof CallLifetime) this.#second.onEnd(listener)
  }

  /** Takes a listener of the end off. */
  offEnd(listener: () => void): void {
    this.#enders?.delete(listener)
    if (this.#second instanceof CallLifetime) this.#second.offEnd(listener)
  }

  // A source may have aborted before anything listened to it.
  #notice(): void {
    if (this.#aborted || this.#ended || this.#listening) return
    if (this.#first !== undefined && isAborted(this.#first)) this.#abortWith(this.#first)
    else if (this.#second !== undefined && isAborted(this.#second)) this.#abortWith(this.#second)
  }

  #listen(): void {
    if (this.#listening || this.#ended) return
    this.#listening = true
    if (this.#first !== undefined) this.#unfollowFirst = this.#follow(this.#first)
    if (this.#second !== undefined) this.#unfollowSecond = this.#follow(this.#second)
  }

  #follow(source: AbortSource): () => void {
    const onAbort = (): void => this.#abortWith(source)
    if (!(source instanceof CallLifetime)) return followSignal(source, onAbort)
    source.onAbort(onAbort)
    return () => source.offAbort(onAbort)
  }

  #abortWith(source: AbortSource): void {
    const at = source instanceof CallLifetime ? source.#abortedAt : abortTime(source)
    this.abort(abortReason(source), at)
  }

  #unlisten(): void {
    this.#unfollowFirst?.()
    this.#unfollowSecond?.()
    this.#unfollowFirst = undefined
    this.#unfollowSecond = undefined
    this.#listening = false
  }
}

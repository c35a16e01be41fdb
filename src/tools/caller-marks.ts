/**
 * Texts that stand for callers: the same for the same caller, by identity, and for no other. What is kept by a mark keeps no
 * caller alive.
 */
export class CallerMarks {
  readonly #marks = new WeakMap<WeakKey, string>()
  #next = 1

  of(caller: unknown): string {
    const registered = typeof caller === 'symbol' ? Symbol.keyFor(caller) : undefined
    if (registered !== undefined) return `registered symbol ${registered}`
    const hasIdentity =
      typeof caller === 'function' ||
      typeof caller === 'symbol' ||
      (typeof caller === 'object' && caller !== null)
    if (!hasIdentity) return `${typeof caller} ${String(caller)}`
    let mark = this.#marks.get(caller as WeakKey)
    if (mark === undefined) {
      mark = `#${this.#next++}`
      this.#marks.set(caller as WeakKey, mark)
    }
    return mark
  }
}

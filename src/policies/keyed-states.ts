/**
 * A policy's state for each key. Objects are held weakly. Of the texts, those unused for longest are forgotten, as long as
 * `mayForget` agrees; it is told how many there are.
 */
export class KeyedStates<S extends object> {
  readonly #make: () => S
  readonly #mayForget: (state: S, kept: number) => boolean
  // In order of use, the latest last.
  readonly #texts = new Map<string, S>()
  readonly #objects = new WeakMap<object, S>()

  constructor(make: () => S, mayForget: (state: S, kept: number) => boolean) {
    this.#make = make
    this.#mayForget = mayForget
  }

  /** The state of a key; made if there is none. */
  of(key: string | object): S {
    if (typeof key === 'string') return this.#ofText(key)
    let state = this.#objects.get(key)
    if (state === undefined) {
      state = this.#make()
      this.#objects.set(key, state)
    }
    return state
  }

  #ofText(key: string): S {
    const state = this.#texts.get(key) ?? this.#make()
    this.#texts.delete(key)
    for (const [oldest, unused] of this.#texts) {
      if (!this.#mayForget(unused, this.#texts.size + 1)) break
      this.#texts.delete(oldest)
    }
    this.#texts.set(key, state)
    return state
  }
}

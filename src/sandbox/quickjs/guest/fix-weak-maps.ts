import {
  apply,
  define,
  globals,
  isObject,
  iteratorSymbol,
  NativeTypeError,
  NativeWeakMap,
  setProperty,
  weakMapDelete,
  weakMapGet,
  weakMapHas,
  weakMapSet,
} from './intrinsics.js'

/** Where one map keeps its values: in the objects that are its keys. */
interface Store {
  has(key: object): boolean
  get(key: object): unknown
  put(key: object, value: unknown): void
}

const NONE: object = { __proto__: null } as never

/** As the base of a class: its fields are laid into whatever this is called with. */
function itself(key: object): object {
  return key
}

function makeStore(): Store {
  class Kept extends (itself as unknown as new (key: object) => object) {
    #value: unknown
    constructor(key: object, value: unknown) {
      super(key)
      this.#value = value
    }
    static has(key: object): boolean {
      return #value in key && key.#value !== NONE
    }
    static get(key: object): unknown {
      return #value in key && key.#value !== NONE ? key.#value : undefined
    }
    static put(key: object, value: unknown): void {
      if (#value in key) key.#value = value
      else new Kept(key, value)
    }
  }
  return Kept
}

class OwnWeakMap {
  readonly #store = makeStore()
  /** For symbols, which hold nothing. */
  readonly #others = new NativeWeakMap<WeakKey, unknown>()

  constructor(...given: unknown[]) {
    const entries = given[0] as { readonly [iteratorSymbol]: () => Iterator<unknown> } | null | undefined
    if (entries === undefined || entries === null) return
    const adder = this.set
    if (typeof adder !== 'function') throw new NativeTypeError('not a function')
    const iterator = apply(entries[iteratorSymbol], entries, [])
    const { next } = iterator
    for (;;) {
      const step = apply(next, iterator, []) as IteratorResult<unknown>
      if (!isObject(step)) throw new NativeTypeError('iterator must return an object')
      if (step.done) return
      const entry = step.value as readonly [unknown, unknown]
      try {
        if (!isObject(entry)) throw new NativeTypeError('not an object')
        apply(adder, this, [entry[0], entry[1]])
      } catch (error) {
        try {
          const close = iterator.return
          if (close !== undefined && close !== null) apply(close as () => unknown, iterator, [])
        } catch {}
        throw error
      }
    }
  }

  delete(key: unknown): boolean {
    const store = this.#store
    if (!isObject(key)) return apply(weakMapDelete, this.#others, [key as never])
    if (!store.has(key)) return false
    store.put(key, NONE)
    return true
  }

  get(key: unknown): unknown {
    const store = this.#store
    return isObject(key) ? store.get(key) : apply(weakMapGet, this.#others, [key as never])
  }

  has(key: unknown): boolean {
    const store = this.#store
    return isObject(key) ? store.has(key) : apply(weakMapHas, this.#others, [key as never])
  }

  set(key: unknown, value: unknown): this {
    const store = this.#store
    if (isObject(key)) store.put(key, value)
    else apply(weakMapSet, this.#others, [key as never, value])
    return this
  }
}

/**
 * Writes `WeakMap` anew. The engine's own holds its values as long as it is there itself, so what leads back to its key is never
 * collected.
 */
export function fixWeakMaps(): void {
  setProperty(OwnWeakMap.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: 'WeakMap',
    configurable: true,
  } as object)
  setProperty(OwnWeakMap, 'name', { __proto__: null, value: 'WeakMap', configurable: true } as object)
  define(globals, 'WeakMap', OwnWeakMap, false)
}

import type { ExecutionMode } from './execution-mode.js'

/** The resource keys of the calls under way, with how many hold each. */
export class HeldKeys {
  readonly #counts = new Map<string, number>()

  areFree(keys: readonly string[]): boolean {
    return this.#counts.size === 0 || keys.every(key => !this.#counts.has(key))
  }

  hold(mode: ExecutionMode): void {
    for (const key of keysOf(mode)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  release(mode: ExecutionMode): void {
    for (const key of keysOf(mode)) {
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }
}

const NO_KEYS: readonly string[] = []

const keysOf = (mode: ExecutionMode): readonly string[] =>
  mode.kind === 'parallel' ? (mode.resourceKeys ?? NO_KEYS) : NO_KEYS

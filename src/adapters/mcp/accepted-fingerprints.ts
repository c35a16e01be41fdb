/**
 * What somebody has accepted, by the server's own names. A name outlives its tool here, so that a tool cannot go away and
 * come back as another. Names that the host gave, and those of the first list, stay for good; of those that came later
 * only so many, since a server may think of new ones for ever. What is forgotten is as what was never accepted.
 */
export class AcceptedFingerprints {
  readonly #lasting: Map<string, string>
  /** The one that was there last is the last. */
  readonly #later = new Map<string, string>()
  readonly #mostGone: number

  constructor(given: { readonly [name: string]: string } | undefined, mostGone: number) {
    this.#lasting = new Map(Object.entries(given ?? {}))
    this.#mostGone = mostGone
  }

  get(name: string): string | undefined {
    return this.#lasting.get(name) ?? this.#later.get(name)
  }

  accept(name: string, fingerprint: string, isLasting: boolean): void {
    if (isLasting || this.#lasting.has(name)) {
      this.#lasting.set(name, fingerprint)
      return
    }
    this.#later.delete(name)
    this.#later.set(name, fingerprint)
  }

  /** Forgets what went longest ago, once more has gone than is kept. */
  trim(isThere: (name: string) => boolean): void {
    const gone = [...this.#later.keys()].filter(name => !isThere(name))
    for (const name of gone.slice(0, Math.max(0, gone.length - this.#mostGone))) this.#later.delete(name)
  }
}

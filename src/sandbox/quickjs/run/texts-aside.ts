import type { JsonValue } from '../../../json/json-value.js'

type Container = { [key: string | number]: JsonValue }

/** The large texts that a guest sends ahead of the call or value that they belong to. */
export class TextsAside {
  #texts: string[] = []
  #bytes = 0

  /** UTF-8 bytes of those that wait, with the quotes that JSON puts around them. */
  get bytes(): number {
    return this.#bytes
  }

  /** Tells of a text before it is read. */
  expect(bytes: number): void {
    this.#bytes += bytes + 2
  }

  add(text: string): void {
    this.#texts.push(text)
  }

  /** Forgets those that wait. */
  drop(): void {
    this.#texts = []
    this.#bytes = 0
  }

  /** Puts each text where it belongs, in values that have just been read. */
  putInto(root: JsonValue, ways: readonly (readonly (string | number)[])[]): void {
    for (const [i, way] of ways.entries()) {
      const last = way.length - 1
      let at = root as unknown as Container
      for (const key of way.slice(0, last)) at = at[key] as unknown as Container
      at[way[last] as string | number] = this.#texts[i] as string
    }
    this.drop()
  }
}

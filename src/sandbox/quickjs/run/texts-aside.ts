import type { JsonValue } from '../../../json/json-value.js'
import { ForeignMessage } from './foreign-message.js'

/** What stands at a step of a way. Inherited properties are the host's own. */
function ownValue(at: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new ForeignMessage()
  return (at as { readonly [key: string | number]: JsonValue })[key]
}

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

  /**
   * Puts each text where it belongs, in values that have just been read.
   * @throws ForeignMessage for a way that leads out of them, or to what is no place for a text
   */
  putInto(root: JsonValue, ways: readonly (readonly (string | number)[])[]): void {
    for (const [i, way] of ways.entries()) {
      const last = way.length - 1
      let at: JsonValue | undefined = root
      for (const key of way.slice(0, last)) at = ownValue(at, key)
      const [key, text] = [way[last] as string | number, this.#texts[i]]
      if (ownValue(at, key) !== null || text === undefined) throw new ForeignMessage()
      Object.defineProperty(at, key, { value: text, enumerable: true, writable: true, configurable: true })
    }
    this.drop()
  }
}

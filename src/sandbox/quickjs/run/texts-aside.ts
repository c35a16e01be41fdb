import type { JsonValue } from '../../../json/json-value.js'

import { believe, type Ways } from './read-message.js'

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
  putInto(root: JsonValue, ways: Ways): void {
    believe(ways.length === this.#texts.length)
    for (const [i, way] of ways.entries()) {
      let at: JsonValue | undefined = root
      let holder: Container | undefined
      for (const key of way) {
        believe(typeof at === 'object' && at !== null && Object.hasOwn(at, key))
        holder = at as unknown as Container
        at = holder[key]
      }
      believe(holder !== undefined && at === null)
      holder[way.at(-1) as string | number] = this.#texts[i] as string
    }
    this.drop()
  }
}

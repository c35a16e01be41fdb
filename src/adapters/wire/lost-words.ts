import type { JsonObject, JsonValue } from '../../json/json-value.js'
import type { Dialect } from './dialect.js'
import { type Draft, follow, isList, isRecord, setOwn } from './json.js'
import { wireAlias } from './wire-names.js'

/** A keyword that cannot be sent, and its value. */
export type LostKeyword = readonly [keyword: string, value: JsonValue]

/** What the words are about: where references lead, and what properties are called on the wire. */
export interface Spoken {
  readonly root: JsonObject
  readonly dialect: Pick<Dialect, 'propertyNames'>
}

const MAX_TOLD_CHARS = 200
const MAX_LEVELS = 64
const LITERAL = ['enum', 'const', 'default', 'examples']
const BY_NAME = ['properties', 'dependentSchemas', 'dependentRequired']

class TooLong extends Error {}

/** Copies what is told: with what references lead to, and names as the wire has them. Small, or it gives up. */
class Speaker {
  readonly #spoken: Spoken
  #left = MAX_TOLD_CHARS

  constructor(spoken: Spoken) {
    this.#spoken = spoken
  }

  keyword(key: string, value: JsonValue, level: number): JsonValue {
    if (LITERAL.includes(key)) return value
    if (key === 'required' && isList(value)) return value.map(name => this.#name(String(name)))
    if (!BY_NAME.includes(key) || !isRecord(value)) return this.#inside(value, level)
    const out: Draft = {}
    for (const [name, child] of Object.entries(value)) {
      const names = key === 'dependentRequired' && isList(child)
      const told = names ? child.map(each => this.#name(String(each))) : this.#inside(child, level)
      setOwn(out, this.#name(name), told)
    }
    return out
  }

  #name(name: string): string {
    const rule = this.#spoken.dialect.propertyNames
    return rule === undefined ? name : wireAlias(name, rule)
  }

  #inside(value: JsonValue, level: number): JsonValue {
    if (--this.#left < 0 || level > MAX_LEVELS) throw new TooLong()
    if (isList(value)) return value.map(item => this.#inside(item, level + 1))
    if (!isRecord(value)) return value
    const { $ref } = value
    const target =
      typeof $ref === 'string' && level <= MAX_LEVELS ? follow(this.#spoken.root, $ref) : undefined
    if (target !== undefined && Object.keys(value).length === 1) return this.#inside(target, level + 1)
    const out: Draft = {}
    for (const [key, child] of Object.entries(value)) setOwn(out, key, this.keyword(key, child, level + 1))
    return out
  }
}

/** A keyword that cannot be sent, in words for the description. One that is too long to be told is named. */
function told([keyword, value]: LostKeyword, spoken: Spoken | undefined): string {
  let text: string
  try {
    text = JSON.stringify(spoken === undefined ? value : new Speaker(spoken).keyword(keyword, value, 0))
  } catch {
    return `${keyword} …`
  }
  return text.length > MAX_TOLD_CHARS ? `${keyword} …` : `${keyword} ${text}`
}

/** A description with what the schema could not keep. */
export function withWords(
  description: JsonValue | undefined,
  lost: readonly LostKeyword[],
  spoken?: Spoken,
): string | undefined {
  const words = lost.map(each => told(each, spoken))
  const first = typeof description === 'string' && description !== '' ? [description] : []
  if (words.length > 0) first.push(`(${words.join(', ')})`)
  return first.length > 0 ? first.join(' ') : undefined
}

import { beginning, cutText } from '../errors/cut-text.js'
import { quoteWhole } from '../errors/quote-name.js'
import type { JsonValue } from '../json/json-value.js'

const SHOWN_CHARS = 80
// What came may be a secret in the wrong place: a text long enough to be one is not shown whole.
const RECEIVED_CHARS = 32
const RECEIVED_SHOWN = 24
const SHOWN_LIST_CHARS = 300

const quoted = (text: string): string =>
  text.length > SHOWN_CHARS ? `${quoteWhole(beginning(text, SHOWN_CHARS))}…` : quoteWhole(text)

/** What came, for a sentence that says what was expected: scalars as they are, long texts cut; containers by kind. Total. */
export function received(value: unknown): string {
  if (typeof value !== 'string') return written(value)
  return value.length > RECEIVED_CHARS
    ? `${quoteWhole(beginning(value, RECEIVED_SHOWN))}…`
    : quoteWhole(value)
}

/** What stands in a schema, in the same way; its texts are no secrets. */
export function written(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return 'a BigInt'
    case 'symbol':
    case 'function':
      return `a ${typeof value}`
    case 'object':
      return value === null ? 'null' : containerKind(value)
    default:
      return String(value)
  }
}

function containerKind(value: object): string {
  try {
    return Array.isArray(value) ? 'an array' : 'an object'
  } catch {
    return 'an unreadable object'
  }
}

const shown = (value: JsonValue): string =>
  typeof value === 'string' ? quoted(value) : cutText(JSON.stringify(value), SHOWN_CHARS)

/** `"a"` for one value, `one of ["a","b"]` for more. A long list is cut. */
export function oneOfThese(values: readonly JsonValue[]): string {
  const [only] = values
  if (values.length === 1 && only !== undefined) return shown(only)
  let list = ''
  for (const [i, value] of values.entries()) {
    const next = i === 0 ? shown(value) : `,${shown(value)}`
    if (list.length + next.length > SHOWN_LIST_CHARS) return `one of [${list},…] (${values.length} values)`
    list += next
  }
  return `one of [${list}]`
}

const INITIAL_VOWEL = /^[aeiou]/

/** A type with its article: `a string`, `an object`, `null`. */
export function aType(type: string): string {
  if (type === 'null') return 'null'
  return `${INITIAL_VOWEL.test(type) ? 'an' : 'a'} ${type}`
}

import { cutText } from '../errors/cut-text.js'
import { listedName } from '../errors/quote-name.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { Fault } from './findings.js'
import { aType, oneOfThese, received } from './value-text.js'

const DECLARED_CHARS = 160

/** What a keyword has against a value, as the rest of a sentence that starts with the value's path. */
export interface KeywordFault {
  readonly kind: Fault['kind']
  readonly problem: string
  readonly expected?: string
}

const PATTERN_CHARS = 120

const count = (value: JsonValue): number =>
  Array.isArray(value) ? value.length : Object.keys(value as object).length

// Characters as JSON Schema counts them.
const characters = (value: JsonValue): number => [...String(value)].length

const plural = (n: unknown, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

const must = (problem: string): KeywordFault => ({ kind: 'other', problem: `must ${problem}` })

function mustBe(kind: Fault['kind'], expected: string, value: JsonValue): KeywordFault {
  return { kind, expected, problem: `must be ${expected}, got ${received(value)}` }
}

function typeNames(types: JsonValue): string {
  return (Array.isArray(types) ? types : [types]).map(type => aType(String(type))).join(' or ')
}

/** What an undeclared property of a closed object is told. */
export function notDeclared(declared: readonly string[]): string {
  if (declared.length === 0) return 'is not a declared property: the object must be empty'
  // No more of them can be shown.
  const shown = declared.slice(0, DECLARED_CHARS)
  return `is not a declared property; declared: ${cutText(shown.map(listedName).join(', '), DECLARED_CHARS)}`
}

// `a string` for a schema that says nothing else.
function inWords(schema: JsonValue): string | undefined {
  const [keyword, ...more] = Object.keys(schema as object)
  if (more.length > 0) return undefined
  const rule = (schema as JsonObject)[keyword ?? ''] as JsonValue
  if (keyword === 'type') return typeNames(rule)
  if (keyword === 'const') return oneOfThese([rule])
  return keyword === 'enum' ? oneOfThese(rule as readonly JsonValue[]) : undefined
}

function counted(rule: string, limit: JsonValue, contained: JsonValue): KeywordFault {
  const items = limit === 1 ? 'item that' : 'items that'
  const words = inWords(contained)
  if (words === undefined) return must(`${rule} ${items} ${limit === 1 ? 'matches' : 'match'} "contains"`)
  return must(`${rule} ${items} ${limit === 1 ? 'is' : 'are'} ${words}`)
}

function forbidden(schema: JsonValue, value: JsonValue): KeywordFault {
  if (Object.keys(schema as object).length === 0) return { kind: 'other', problem: 'is not allowed' }
  const words = inWords(schema)
  return must(
    words === undefined ? 'not match the schema under "not"' : `not be ${words}, got ${received(value)}`,
  )
}

/** Says what a keyword has against a value. `owner` is the schema that it stands in. */
export function keywordFault(keyword: string, owner: JsonObject, value: JsonValue): KeywordFault {
  const limit = owner[keyword] as JsonValue
  switch (keyword) {
    case 'type':
      return mustBe('type', typeNames(limit), value)
    case 'enum':
      return mustBe('tag', oneOfThese(limit as readonly JsonValue[]), value)
    case 'const':
      return mustBe('tag', oneOfThese([limit]), value)
    case 'minimum':
      return must(`be at least ${limit}, got ${value}`)
    case 'maximum':
      return must(`be at most ${limit}, got ${value}`)
    case 'exclusiveMinimum':
      return must(`be more than ${limit}, got ${value}`)
    case 'exclusiveMaximum':
      return must(`be less than ${limit}, got ${value}`)
    case 'multipleOf':
      return must(`be a multiple of ${limit}, got ${value}`)
    case 'minLength':
      return must(`have at least ${plural(limit, 'character', 'characters')}, has ${characters(value)}`)
    case 'maxLength':
      return must(`have at most ${plural(limit, 'character', 'characters')}, has ${characters(value)}`)
    case 'pattern':
      return must(`match the pattern ${cutText(String(limit), PATTERN_CHARS)}, got ${received(value)}`)
    case 'minItems':
      return must(`have at least ${plural(limit, 'item', 'items')}, has ${count(value)}`)
    case 'maxItems':
      return must(`have at most ${plural(limit, 'item', 'items')}, has ${count(value)}`)
    case 'uniqueItems':
      return must('hold no item twice')
    case 'minProperties':
      return must(`have at least ${plural(limit, 'property', 'properties')}, has ${count(value)}`)
    case 'maxProperties':
      return must(`have at most ${plural(limit, 'property', 'properties')}, has ${count(value)}`)
    case 'contains':
      return counted('hold an', 1, limit)
    case 'minContains':
      return counted(`hold at least ${limit}`, limit, owner.contains as JsonValue)
    case 'maxContains':
      return counted(`hold at most ${limit}`, limit, owner.contains as JsonValue)
    case 'not':
      return forbidden(limit, value)
    default:
      return must(`satisfy "${keyword}"`)
  }
}

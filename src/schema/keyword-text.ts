import type { JsonValue } from '../json/json-value.js'
import type { Fault } from './findings.js'
import { aType, cut, oneOfThese, received } from './value-text.js'

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

/** Says what a keyword has against a value. `limit` is what stands under the keyword. */
export function keywordFault(keyword: string, limit: JsonValue, value: JsonValue): KeywordFault {
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
      return must(`match the pattern ${cut(String(limit), PATTERN_CHARS)}, got ${received(value)}`)
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
      return must('hold an item that matches "contains"')
    case 'minContains':
      return must(
        `hold at least ${plural(limit, 'item', 'items')} that ${limit === 1 ? 'matches' : 'match'} "contains"`,
      )
    case 'maxContains':
      return must(
        `hold at most ${plural(limit, 'item', 'items')} that ${limit === 1 ? 'matches' : 'match'} "contains"`,
      )
    case 'not':
      if (Object.keys(limit as object).length === 0) return { kind: 'other', problem: 'is not allowed' }
      return must('not match the schema under "not"')
    default:
      return must(`satisfy "${keyword}"`)
  }
}

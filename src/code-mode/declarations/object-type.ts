import { commentText, docComment } from './comment-text.js'
import { isNode, keysOf, own, type SchemaNode, stringsOf } from './read-schema.js'
import { isStep, type Step } from './run-steps.js'
import { restKeyword } from './schema-kinds.js'
import { type Place, placeInside, type SchemaPrinter } from './schema-printer.js'
import { optionalProperty, propertyName } from './ts-literal.js'
import { ANY, isAny, NEVER, OBJECT, type TsType, textOf, unionOf } from './ts-type.js'

const INLINE_CHARS = 64
const MAX_INDEX_MEMBERS = 8
const MAX_INDEX_CHARS = 160
const ANY_KEYS = 'Record<string, JsonValue>'
const EVERY_KEY = /^(?:\^|\$|\^?\(?\.\*\)?\$?)?$/
const PREFIX_PATTERN = /^\^[A-Za-z0-9_-]+$/

interface Member {
  /** The line of its comment, or nothing. */
  readonly doc: string
  readonly text: string
}

type PatternType = readonly [pattern: string, type: TsType]

/** How an object stands to the keys its schema does not declare, and to other schemas for the same value. */
export interface ObjectSetting {
  /** Say that undeclared keys are allowed, unless the schema itself decides about them. */
  readonly open: boolean
  /** True when no other text describes the same object. */
  readonly alone: boolean
}

/** The type of the objects a schema accepts, from its object keywords. */
export function* objectType(
  printer: SchemaPrinter,
  schema: SchemaNode,
  place: Place,
  setting: ObjectSetting,
): Step<TsType> {
  const inside = placeInside(place)
  const indent = '  '.repeat(inside.level)
  const properties = own(schema, 'properties')
  const required = new Set(stringsOf(own(schema, 'required')))
  const members: Member[] = []
  const types: TsType[] = []
  const declare = (key: string, type: TsType, optional: boolean): void => {
    const text = optional ? optionalProperty(key, type) : `${propertyName(key)}: ${textOf(type)}`
    members.push({ doc: docComment(type.note, indent), text })
    types.push(type)
  }
  const patterns = own(schema, 'patternProperties')
  const others = restKeyword(schema, 'additionalProperties', 'unevaluatedProperties')
  if (isNode(properties)) {
    for (const key of keysOf(properties)) {
      const printing = printer.print(own(properties, key), placeInside(place, key))
      declare(key, isStep(printing) ? yield printing : printing, !required.delete(key))
    }
  }
  let rest =
    typeof others === 'boolean' || others === undefined ? undefined : yield printer.print(others, inside)
  if (others === true) rest = ANY
  const byPattern: PatternType[] = []
  if (isNode(patterns)) {
    for (const pattern of keysOf(patterns)) {
      const type = yield printer.print(own(patterns, pattern), inside)
      if (EVERY_KEY.test(pattern) && (!rest || isAny(rest))) rest = type
      else byPattern.push([pattern, type])
    }
  }
  const ofPatterns = byPattern.map(([, type]) => type)
  if (required.size > 0) {
    const undeclared = unionOf([...ofPatterns, rest ?? (others === false ? NEVER : ANY)])
    for (const key of required) declare(key, undeclared, false)
  }

  const pieces: string[] = []
  if (members.length > 0) pieces.push(literalText(members, indent))
  const prefixes = byPattern.filter(([pattern]) => PREFIX_PATTERN.test(pattern))
  const exact = prefixes.length === byPattern.length
  pieces.push(...prefixes.map(prefixIndex))
  if (!exact && !rest && others === false) rest = NEVER
  if (rest) {
    pieces.push(indexText(ofPatterns, rest, types))
  } else if (others === undefined && (setting.open || !exact))
    pieces.push(setting.open ? printer.openText : ANY_KEYS)
  if (pieces.length === 0) pieces.push(others === false || setting.alone ? 'Record<string, never>' : 'object')
  const notes = byPattern.map(patternNote)
  if (rest?.note) notes.push(`other keys: ${rest.note}`)
  return {
    members: [pieces.join(' & ')],
    kinds: OBJECT,
    compound: pieces.length > 1,
    note: notes.filter(Boolean).join(', '),
  }
}

function prefixIndex([pattern, type]: PatternType): string {
  return `{ [key: \`${pattern.slice(1)}\${string}\`]: ${textOf(type)} }`
}

function patternNote([pattern, type]: PatternType): string {
  const text = textOf(type)
  const shown = PREFIX_PATTERN.test(pattern) || text.length > MAX_INDEX_CHARS ? '' : commentText(text)
  if (!shown && !type.note) return ''
  return `keys like ${commentText(pattern)}: ${[shown, type.note].filter(Boolean).join(', ')}`
}

function literalText(members: readonly Member[], indent: string): string {
  let chars = 0
  const short = members.every(({ doc, text }) => {
    chars += text.length + 2
    return doc === '' && chars + 2 <= INLINE_CHARS && !text.includes('\n')
  })
  if (short) return `{ ${members.map(({ text }) => text).join('; ')} }`
  let lines = '{\n'
  for (const { doc, text } of members) lines += `${doc}${indent}${text};\n`
  return `${lines}${indent.slice(2)}}`
}

// Index signatures stand apart from the named keys, so that these keep types of their own; but a literal's
// named keys must pass the index signature too, hence the union.
function indexText(patterns: readonly TsType[], rest: TsType, named: readonly TsType[]): string {
  if (isAny(rest)) return ANY_KEYS
  const all = unionOf([...patterns, rest, ...named].map(({ note, ...type }) => type))
  const text = textOf(all)
  const readable = all.members.length <= MAX_INDEX_MEMBERS && text.length <= MAX_INDEX_CHARS
  return isAny(all) || (named.length > 0 && !readable) ? ANY_KEYS : `{ [key: string]: ${text} }`
}

import { docComment } from './comment-text.js'
import { isNode, keysOf, own, type SchemaNode, stringsOf } from './read-schema.js'
import type { Step } from './run-steps.js'
import { type Place, placeInside, type SchemaPrinter } from './schema-printer.js'
import { propertyName } from './ts-literal.js'
import { ANY, isAny, OBJECT, type TsType, textOf, unionOf } from './ts-type.js'

const INLINE_CHARS = 64
const MAX_INDEX_MEMBERS = 8
const MAX_INDEX_CHARS = 160
const PREFIX_PATTERN = /^\^[A-Za-z0-9_-]+$/

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
  const patterns = own(schema, 'patternProperties')
  const others = own(schema, 'additionalProperties')
  const declared: { readonly key: string; readonly optional: boolean; readonly type: TsType }[] = []
  if (isNode(properties)) {
    for (const key of keysOf(properties)) {
      const type = yield printer.print(own(properties, key), { ...inside, key })
      declared.push({ key, optional: !required.delete(key), type })
    }
  }
  const byPattern: (readonly [string, TsType])[] = []
  if (isNode(patterns)) {
    for (const pattern of keysOf(patterns)) {
      byPattern.push([pattern, yield printer.print(own(patterns, pattern), inside)])
    }
  }
  const rest = others === undefined || others === false ? undefined : yield printer.print(others, inside)
  const undeclared = byPattern.map(([, type]) => type)
  if (others !== false) undeclared.push(rest ?? ANY)
  for (const key of required) declared.push({ key, optional: false, type: unionOf(undeclared) })

  const pieces: string[] = []
  if (declared.length > 0) {
    pieces.push(
      literalText(
        declared.map(({ key, optional, type }) => ({
          doc: docComment(type.note, indent),
          text: `${propertyName(key)}${optional ? '?' : ''}: ${textOf(type)}`,
        })),
        indent,
      ),
    )
  }
  const index = indexTexts(
    byPattern,
    rest,
    declared.map(({ type }) => type),
  )
  if (others === undefined && setting.open) {
    // The index of an open object admits everything, so only exact prefixes add to it.
    pieces.push(...index.filter(text => !text.includes('[key: string]')), printer.openText)
  } else {
    pieces.push(...index)
  }
  if (pieces.length === 0) pieces.push(others === false || setting.alone ? 'Record<string, never>' : 'object')
  const notes = byPattern.map(([pattern, type]) => noteOn(`keys like ${pattern}`, type))
  if (rest) notes.push(noteOn('other keys', rest))
  return {
    members: [pieces.join(' & ')],
    kinds: OBJECT,
    compound: pieces.length > 1,
    note: notes.filter(Boolean).join(', '),
  }
}

function noteOn(what: string, type: TsType): string {
  return type.note ? `${what}: ${type.note}` : ''
}

function literalText(entries: readonly { doc: string; text: string }[], indent: string): string {
  const short = `{ ${entries.map(entry => entry.text).join('; ')} }`
  if (short.length <= INLINE_CHARS && !short.includes('\n') && entries.every(entry => !entry.doc))
    return short
  const lines = entries.map(({ doc, text }) => `${doc}${indent}${text};\n`)
  return `{\n${lines.join('')}${indent.slice(2)}}`
}

// Index signatures stand apart from the named keys, so that these keep types of their own.
function indexTexts(
  byPattern: readonly (readonly [string, TsType])[],
  rest: TsType | undefined,
  named: readonly TsType[],
): string[] {
  if (rest && isAny(rest)) return ['Record<string, JsonValue>']
  if (!rest && byPattern.every(([pattern]) => PREFIX_PATTERN.test(pattern))) {
    return byPattern.map(([pattern, type]) => `{ [key: \`${pattern.slice(1)}\${string}\`]: ${textOf(type)} }`)
  }
  const types = byPattern.map(([, type]) => type)
  if (rest) types.push(rest)
  // A literal's named keys must pass the index signature too.
  const all = unionOf([...types, ...named].map(({ note, ...type }) => type))
  const text = textOf(all)
  const readable = all.members.length <= MAX_INDEX_MEMBERS && text.length <= MAX_INDEX_CHARS
  if (named.length > 0 && (!readable || isAny(all))) return ['Record<string, JsonValue>']
  return [`{ [key: string]: ${text} }`]
}

import { cutText } from '../../errors/cut-text.js'
import { commentText, commentValue } from './comment-text.js'
import { isNode, keysOf, listOf, own, type SchemaNode, stringsOf } from './read-schema.js'

// Keywords the type itself says, and those that tell a reader nothing.
const SILENT = new Set(
  (
    '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary $comment $defs definitions $ref ' +
    '$dynamicRef $recursiveRef type properties required additionalProperties patternProperties ' +
    'items prefixItems additionalItems enum const allOf anyOf oneOf ' +
    'nullable description title deprecated minItems maxItems'
  ).split(' '),
)

// Libraries spell formats out as patterns that nobody reads, and say of each integer that it is a safe one.
const MAX_PATTERN = 80

const PHRASES: { readonly [keyword: string]: string } = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
  multipleOf: 'multiple of',
}

/** What the comment of a schema says: its description, then every constraint its type cannot express. */
export function schemaNotes(schema: SchemaNode, key?: string): string {
  const constraints = constraintsOf(schema)
  const text = descriptionOf(schema, key)
  if (own(schema, 'type') === 'integer' && (text || constraints.length > 0)) constraints.unshift('integer')
  const list = constraints.join(', ')
  const note = text && list ? `${text} (${list})` : text || list
  return commentText(own(schema, 'deprecated') === true ? `@deprecated ${note}` : note)
}

function descriptionOf(schema: SchemaNode, key: string | undefined): string {
  const description = own(schema, 'description')
  if (typeof description === 'string' && description.trim()) return description.trim()
  const title = own(schema, 'title')
  return typeof title === 'string' && plain(title) !== plain(key ?? '') ? title.trim() : ''
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '')
}

function constraintsOf(schema: SchemaNode): string[] {
  const notes: string[] = []
  for (const key of keysOf(schema)) {
    if (SILENT.has(key)) continue
    const note = constraintNote(schema, key, own(schema, key))
    if (note) notes.push(note)
  }
  return notes
}

function constraintNote(schema: SchemaNode, key: string, value: unknown): string | undefined {
  if (value === undefined) return `${key} unreadable`
  if (key.startsWith('unevaluated') && typeof value === 'boolean') return undefined
  const phrase = PHRASES[key]
  if (phrase && typeof value === 'number')
    return Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : `${phrase} ${value}`
  if (key === 'pattern' && typeof value === 'string' && value.length > MAX_PATTERN)
    return typeof own(schema, 'format') === 'string' ? undefined : `pattern ${cutText(value, MAX_PATTERN)}`
  if (key === 'pattern' || key === 'format')
    return `${key} ${typeof value === 'string' ? value : commentValue(value)}`
  if (key === 'minLength') return `length ${span(value, own(schema, 'maxLength'))}`
  if (key === 'maxLength')
    return own(schema, 'minLength') === undefined ? `length ${span(0, value)}` : undefined
  if (key === 'uniqueItems' && typeof value === 'boolean') return value ? 'unique' : undefined
  if (key === 'examples') {
    const examples = listOf(value)
    if (examples)
      return examples.length > 0 ? `e.g. ${examples.slice(0, 3).map(commentValue).join(', ')}` : undefined
  }
  if (key === 'dependentRequired' && isNode(value)) {
    return keysOf(value)
      .map(name => `${name} requires ${stringsOf(own(value, name)).join(', ')}`)
      .join('; ')
  }
  return `${key} ${commentValue(value)}`
}

/** A range of counts: `3`, `1..5`, `>= 1`. */
export function span(min: unknown, max: unknown): string {
  if (min === max) return `${commentValue(min)}`
  if (max === undefined) return `>= ${commentValue(min)}`
  return `${commentValue(min)}..${commentValue(max)}`
}

/** Two notes as one, where there are two. */
export function joinNotes(first: string | undefined, second: string | undefined): string {
  return first && second ? `${first}; ${second}` : first || second || ''
}

import { countOf, listOf, own, type SchemaNode } from './read-schema.js'
import { isStep, type Step } from './run-steps.js'
import { restKeyword } from './schema-kinds.js'
import { span } from './schema-notes.js'
import { type Place, placeInside, type SchemaPrinter } from './schema-printer.js'
import { ANY, ARRAY, arrayText, NEVER, notedText, type TsType, textOf, typeOf } from './ts-type.js'

// Beyond these a tuple is harder to read than an array with a comment.
const MAX_SPELLED_ITEMS = 8
const MAX_SPELLED_CHARS = 48

/** The type of the arrays a schema accepts, from its array keywords. */
export function* arrayType(printer: SchemaPrinter, schema: SchemaNode, place: Place): Step<TsType> {
  const inside = placeInside(place)
  const items = own(schema, 'items')
  const head = listOf(own(schema, 'prefixItems')) ?? listOf(items) ?? []
  const restSchema = restKeyword(schema, listOf(items) ? 'additionalItems' : 'items', 'unevaluatedItems')
  const min = countOf(schema, 'minItems') ?? 0
  const max = Math.floor(countOf(schema, 'maxItems') ?? Number.POSITIVE_INFINITY)
  if (min > max) return NEVER

  const elements: TsType[] = []
  for (const item of head.slice(0, max)) elements.push(yield printer.print(item, inside))
  const printing = restSchema === undefined ? ANY : printer.print(restSchema, inside)
  const rest = isStep(printing) ? yield printing : printing
  return { ...withCounts(elements, rest, min, max), note: notesOf(elements, rest, min, max) }
}

function withCounts(elements: readonly TsType[], rest: TsType, min: number, max: number): TsType {
  const closed = max <= elements.length || rest.members.length === 0
  if (closed && min > elements.length) return NEVER
  const texts = elements.map((element, index) => elementText(element, index < min))
  if (closed) return typeOf(`[${texts.join(', ')}]`, ARRAY)
  const spelled = spelledCount(elements.length, rest, min, max)
  if (elements.length === 0 && spelled === 0) return typeOf(arrayText(rest), ARRAY)
  const plain: TsType = { members: rest.members, kinds: rest.kinds, compound: rest.compound ?? false }
  for (let index = elements.length; index < spelled; index++) texts.push(elementText(plain, index < min))
  if (spelled < max) texts.push(`...${arrayText(plain)}`)
  return typeOf(`[${texts.join(', ')}]`, ARRAY)
}

// How many elements to write out one by one, so that the counts show in the type.
function spelledCount(head: number, rest: TsType, min: number, max: number): number {
  const text = textOf(rest)
  const short = text.length <= MAX_SPELLED_CHARS && !text.includes('\n')
  if (!short) return head
  if (max - head <= MAX_SPELLED_ITEMS) return max
  return min - head <= MAX_SPELLED_ITEMS ? Math.max(min, head) : head
}

function elementText(type: TsType, required: boolean): string {
  const text = notedText(type)
  if (required) return text
  return type.members.length > 1 || type.compound || type.note ? `(${text})?` : `${text}?`
}

function notesOf(elements: readonly TsType[], rest: TsType, min: number, max: number): string {
  const notes: string[] = []
  if (rest.note) notes.push(`${elements.length > 0 ? 'further items' : 'items'}: ${rest.note}`)
  const spelled = spelledCount(elements.length, rest, min, max)
  const open = max > elements.length && rest.members.length > 0
  const hiddenMax = Number.isFinite(max) && spelled < max
  if (open && (min > spelled || hiddenMax)) {
    notes.push(`${span(min, Number.isFinite(max) ? max : undefined)} items`)
  }
  return notes.join(', ')
}

import { type ClosedObjects, createClosedObjects } from './closed-objects.js'
import { commentText, commentValue } from './comment-text.js'
import type { NamedTypes } from './named-types.js'
import { ownType, plainType, type Said, whatItSays } from './own-type.js'
import { isNode, listOf, own, type SchemaNode } from './read-schema.js'
import { isStep, type Step } from './run-steps.js'
import { CHOICES, REFERENCES } from './same-value.js'
import type { SchemaDocument } from './schema-document.js'
import { SAME_VALUE } from './schema-kinds.js'
import { joinNotes } from './schema-notes.js'
import type { Place, Printing, SchemaPrinter } from './schema-printer.js'
import { optionalProperty } from './ts-literal.js'
import {
  ALL_KINDS,
  ANY,
  anyBecause,
  intersectionOf,
  isAny,
  NEVER,
  NULL,
  OBJECT,
  type TsType,
  typeOf,
  unionOf,
  withNote,
} from './ts-type.js'

// The compiler recurses over nested types; past this depth a named type takes over.
const MAX_DEPTH = 24
const MAX_DEPTH_SAME_VALUE = 96
const MAX_SCHEMAS = 50_000
const NO_PARTS: readonly TsType[] = []

export interface PrinterOptions {
  readonly document: SchemaDocument
  readonly names: NamedTypes
  readonly openText: string
}

/** One document while it is printed. */
interface Printer extends SchemaPrinter {
  readonly document: SchemaDocument
  readonly names: NamedTypes
  readonly closed: ClosedObjects
  printed: number
}

/** Creates the printer of one schema document. */
export function createSchemaPrinter({ document, names, openText }: PrinterOptions): SchemaPrinter {
  const closed = createClosedObjects(document)
  const printer: Printer = {
    document,
    names,
    closed,
    openText,
    printed: 0,
    print: (schema, place) => print(printer, schema, place),
  }
  return printer
}

// The steps are no closures of the printer's: an engine that makes a generator function anew for each document spends
// more on that than on a small document.
function print(printer: Printer, given: unknown, place: Place): Printing {
  if (given === true) return ANY
  if (given === false) return NEVER
  if (!isNode(given)) return anyBecause('unreadable schema')
  if (++printer.printed > MAX_SCHEMAS) return anyBecause('schema too large to print')
  const limit = place.kinds === undefined ? MAX_DEPTH : MAX_DEPTH_SAME_VALUE
  if (place.depth > limit || place.path.includes(given)) {
    return printer.names.refer(given, place.key ?? 'Nested', place, inner => print(printer, given, inner))
  }
  const schema = printer.document.read(given)
  const said = whatItSays(schema, place)
  if (said.spoken !== undefined)
    return said.spoken & SAME_VALUE
      ? compose(printer, given, schema, place, said)
      : standAlone(printer, given, schema, place, said)
  const type = plainType(schema, place, said, NO_PARTS)
  return withNote(type, joinNotes(said.note, type.note))
}

// Most schemas are the only one for their value.
function* standAlone(
  printer: Printer,
  given: SchemaNode,
  schema: SchemaNode,
  place: Place,
  said: Said,
): Step<TsType> {
  const sealed = place.sealed === true || printer.closed.closes(given)
  const around = place.path.push(given) - 1
  const printing = ownType(printer, schema, place, { said, parts: NO_PARTS, open: !sealed, sealed })
  const type = isStep(printing) ? yield printing : printing
  place.path.length = around
  return withNote(type, joinNotes(said.note, type.note))
}

// Any other is an intersection: what it says of its own, and every schema that it applies to the same value.
function* compose(
  printer: Printer,
  given: SchemaNode,
  schema: SchemaNode,
  place: Place,
  said: Said,
): Step<TsType> {
  const { isClosed, refusedKeys } = printer.closed
  const { kinds } = said
  let { note } = said
  const choices = CHOICES.map(key => listOf(own(schema, key)) ?? []).filter(list => list.length > 0)
  const sealed = place.sealed === true || isClosed(given)
  const choiceDecides = choices.some(list => list.some(isClosed))
  const speaksOfObject = ((said.spoken ?? 0) & kinds & OBJECT) !== 0
  const same: Place = {
    level: place.level,
    depth: place.depth + 1,
    kinds: kinds === ALL_KINDS ? undefined : kinds,
    sealed: sealed || (speaksOfObject && !choiceDecides),
    owner: place.owner,
    path: place.path,
  }

  const parts: TsType[] = []
  const addPart = (part: TsType): void => {
    if (!isAny(part)) parts.push(part)
    else note = joinNotes(note, part.note)
  }
  const around = place.path.push(given) - 1
  for (const keyword of REFERENCES) {
    const ref = own(schema, keyword)
    if (ref !== undefined) addPart(yield reference(printer, given, ref, same))
  }
  for (const part of listOf(own(schema, 'allOf')) ?? []) addPart(yield print(printer, part, same))
  let choosing = false
  for (const list of choices) {
    const branches: TsType[] = []
    for (const branch of list) branches.push(yield print(printer, branch, same))
    const union = unionOf(branches)
    choosing ||= !isAny(union)
    const texts = branches.map(branch => branch.note).filter(Boolean)
    addPart(isAny(union) && texts.length > 0 ? anyBecause(`one of: ${texts.join(' | ')}`) : union)
  }
  const open = !sealed && !(choiceDecides && choosing)
  const base = yield ownType(printer, schema, place, { said, parts, open, sealed })
  place.path.length = around

  let all = intersectionOf([base, ...parts])
  if (parts.length > 0 && all.kinds === OBJECT) {
    const refused = refusedKeys(given).map(key => optionalProperty(key, NEVER))
    if (refused.length > 0) all = intersectionOf([all, typeOf(`{ ${refused.join('; ')} }`, OBJECT)])
  }
  note = joinNotes(note, all.note ?? (isAny(all) ? base.note : ''))
  const nullable = own(schema, 'nullable') === true && ((place.kinds ?? ALL_KINDS) & NULL) !== 0
  return { ...(nullable ? unionOf([all, typeOf('null', NULL)]) : all), note }
}

function reference(printer: Printer, from: SchemaNode, ref: unknown, place: Place): Printing {
  const found = typeof ref === 'string' ? printer.document.resolve(from, ref) : undefined
  if (!found) return anyBecause(commentText(`unresolved $ref ${commentValue(ref)}`))
  const { schema, hint } = found
  if (!isNode(schema)) return print(printer, schema, place)
  // A closed schema prints alike everywhere, so that one type does for all places.
  const there = place.sealed && printer.closed.isClosed(schema) ? { ...place, sealed: undefined } : place
  return printer.names.refer(schema, hint || 'Root', there, inner => print(printer, schema, inner))
}

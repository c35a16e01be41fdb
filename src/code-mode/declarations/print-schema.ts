import { createClosedObjects } from './closed-objects.js'
import { commentText, commentValue } from './comment-text.js'
import type { NamedTypes } from './named-types.js'
import { ownType, plainType, type Said, whatItSays } from './own-type.js'
import { isNode, listOf, own, type SchemaNode } from './read-schema.js'
import type { Step } from './run-steps.js'
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

/** Creates the printer of one schema document. */
export function createSchemaPrinter(options: PrinterOptions): SchemaPrinter {
  const { document, names } = options
  const { read, resolve } = document
  const { closes, isClosed, refusedKeys } = createClosedObjects(document)
  let printed = 0

  const printer: SchemaPrinter = { print, openText: options.openText }
  return printer

  function print(given: unknown, place: Place): Printing {
    if (given === true) return ANY
    if (given === false) return NEVER
    if (!isNode(given)) return anyBecause('unreadable schema')
    if (++printed > MAX_SCHEMAS) return anyBecause('schema too large to print')
    const limit = place.kinds === undefined ? MAX_DEPTH : MAX_DEPTH_SAME_VALUE
    if (place.depth > limit || place.path.includes(given)) {
      return names.refer(given, place.key ?? 'Nested', place, inner => print(given, inner))
    }
    const schema = read(given)
    const said = whatItSays(schema, place)
    if (said.spoken !== undefined)
      return said.spoken & SAME_VALUE
        ? compose(given, schema, place, said)
        : standAlone(given, schema, place, said)
    const type = plainType(schema, place, said, [])
    return withNote(type, joinNotes([...said.notes, type.note]))
  }

  // Most schemas are the only one for their value.
  function* standAlone(given: SchemaNode, schema: SchemaNode, place: Place, said: Said): Step<TsType> {
    const sealed = place.sealed === true || closes(given)
    const around = place.path.push(given) - 1
    const type = yield ownType(printer, schema, place, { said, parts: NO_PARTS, open: !sealed, sealed })
    place.path.length = around
    return withNote(type, joinNotes([...said.notes, type.note]))
  }

  // Any other is an intersection: what it says of its own, and every schema that it applies to the same value.
  function* compose(given: SchemaNode, schema: SchemaNode, place: Place, said: Said): Step<TsType> {
    const { kinds, notes } = said
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
      else if (part.note) notes.push(part.note)
    }
    const around = place.path.push(given) - 1
    for (const keyword of REFERENCES) {
      const ref = own(schema, keyword)
      if (ref !== undefined) addPart(yield reference(given, ref, same))
    }
    for (const part of listOf(own(schema, 'allOf')) ?? []) addPart(yield print(part, same))
    let choosing = false
    for (const list of choices) {
      const branches: TsType[] = []
      for (const branch of list) branches.push(yield print(branch, same))
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
    notes.push(all.note ?? (isAny(all) ? base.note : ''))
    const nullable = own(schema, 'nullable') === true && ((place.kinds ?? ALL_KINDS) & NULL) !== 0
    return { ...(nullable ? unionOf([all, typeOf('null', NULL)]) : all), note: joinNotes(notes) }
  }

  function reference(from: SchemaNode, ref: unknown, place: Place): Printing {
    const found = typeof ref === 'string' ? resolve(from, ref) : undefined
    if (!found) return anyBecause(commentText(`unresolved $ref ${commentValue(ref)}`))
    const { schema, hint } = found
    if (!isNode(schema)) return print(schema, place)
    // A closed schema prints alike everywhere, so that one type does for all places.
    const there = place.sealed && isClosed(schema) ? { ...place, sealed: undefined } : place
    return names.refer(schema, hint || 'Root', there, inner => print(schema, inner))
  }
}

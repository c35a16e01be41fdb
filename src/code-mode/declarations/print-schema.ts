import { type Follow, isClosed, refusedKeys } from './closed-objects.js'
import { commentText, commentValue } from './comment-text.js'
import type { NamedTypes } from './named-types.js'
import { ownType, plainType, type Said, whatItSays } from './own-type.js'
import { isNode, listOf, own, type SchemaNode } from './read-schema.js'
import type { RefResolver } from './resolve-ref.js'
import type { Step } from './run-steps.js'
import { joinNotes } from './schema-notes.js'
import type { Place, Printing, SchemaPrinter } from './schema-printer.js'
import { propertyName } from './ts-literal.js'
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
} from './ts-type.js'

// The compiler recurses over nested types; past this depth a named type takes over.
const MAX_DEPTH = 24
const MAX_DEPTH_SAME_VALUE = 96
const MAX_SCHEMAS = 50_000
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

export interface PrinterOptions {
  readonly resolve: RefResolver
  readonly names: NamedTypes
  readonly openText: string
}

/** Creates the printer of one schema document. */
export function createSchemaPrinter(options: PrinterOptions): SchemaPrinter {
  const { resolve, names } = options
  let printed = 0
  const follow: Follow = node => {
    const ref = own(node, '$ref')
    return typeof ref === 'string' ? resolve(node, ref)?.schema : undefined
  }

  const printer: SchemaPrinter = { print, openText: options.openText }
  return printer

  function print(schema: unknown, place: Place): Printing {
    if (schema === true) return ANY
    if (schema === false) return NEVER
    if (!isNode(schema)) return anyBecause('unreadable schema')
    if (++printed > MAX_SCHEMAS) return anyBecause('schema too large to print')
    const limit = place.kinds === undefined ? MAX_DEPTH : MAX_DEPTH_SAME_VALUE
    if (place.depth > limit || place.path.has(schema)) {
      return names.refer(schema, place.key ?? 'Nested', place, inner => print(schema, inner))
    }
    const said = whatItSays(schema, place)
    if (said.spoken !== undefined) return compose(schema, place, said)
    const type = plainType(schema, place, said, [])
    return { ...type, note: joinNotes([...said.notes, type.note]) }
  }

  // One schema is an intersection: what it says of its own, and every schema that it applies to the same value.
  function* compose(schema: SchemaNode, place: Place, said: Said): Step<TsType> {
    const { kinds, notes } = said
    const choices = ['anyOf', 'oneOf']
      .map(key => listOf(own(schema, key)) ?? [])
      .filter(list => list.length > 0)
    const sealed = place.sealed === true || isClosed(schema, follow)
    const choiceDecides = choices.some(list => list.some(branch => isClosed(branch, follow)))
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
    place.path.add(schema)
    for (const keyword of REFERENCES) {
      const ref = own(schema, keyword)
      if (ref !== undefined) addPart(yield reference(schema, ref, same))
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
    const base = yield ownType(printer, schema, place, { ...said, parts, open, sealed })
    place.path.delete(schema)

    let all = intersectionOf([base, ...parts])
    if (parts.length > 0 && all.kinds === OBJECT) {
      const refused = refusedKeys(schema, follow).map(key => `${propertyName(key)}?: never`)
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
    return names.refer(schema, hint || 'Root', place, inner => print(schema, inner))
  }
}

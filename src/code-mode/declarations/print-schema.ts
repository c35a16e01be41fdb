import { arrayType } from './array-type.js'
import { type Follow, isClosed, refusedKeys } from './closed-objects.js'
import { commentText, commentValue } from './comment-text.js'
import type { NamedTypes } from './named-types.js'
import { objectType } from './object-type.js'
import { isNode, listOf, own, type SchemaNode } from './read-schema.js'
import type { RefResolver } from './resolve-ref.js'
import type { Step } from './run-steps.js'
import { kindsOf, spokenKinds, typeNames } from './schema-kinds.js'
import { schemaNotes } from './schema-notes.js'
import type { Place, SchemaPrinter } from './schema-printer.js'
import { hasTypeName, kindOf, literalType, propertyName } from './ts-literal.js'
import {
  ALL_KINDS,
  ANY,
  ARRAY,
  anyBecause,
  intersectionOf,
  isAny,
  KINDS,
  NEVER,
  OBJECT,
  type TsType,
  typeOf,
  unionOf,
} from './ts-type.js'

// The compiler recurses over nested types; past this depth a named type takes over.
const MAX_DEPTH = 24
const MAX_DEPTH_SAME_VALUE = 96
const MAX_SCHEMAS = 200_000
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

  function* print(schema: unknown, place: Place): Step<TsType> {
    if (schema === true) return ANY
    if (schema === false) return NEVER
    if (!isNode(schema)) return anyBecause('unreadable schema')
    if (++printed > MAX_SCHEMAS) return anyBecause('schema too large to print')
    const limit = place.kinds === undefined ? MAX_DEPTH : MAX_DEPTH_SAME_VALUE
    if (place.depth > limit || place.path.has(schema)) {
      return yield names.refer(schema, place.key ?? 'Nested', place, inner => print(schema, inner))
    }
    place.path.add(schema)
    try {
      return yield compose(schema, place)
    } finally {
      place.path.delete(schema)
    }
  }

  // One schema is an intersection: what it says of its own, and every schema that it applies to the same value.
  function* compose(schema: SchemaNode, place: Place): Step<TsType> {
    const declared = typeNames(schema)
    const spoken = spokenKinds(schema)
    const outer = place.kinds ?? ALL_KINDS
    const kinds = declared ? kindsOf(declared) & outer : (place.kinds ?? (spoken || ALL_KINDS))
    const notes = [schemaNotes(schema, place.key)]
    if (!declared && own(schema, 'type') !== undefined)
      notes.push(`type ${commentValue(own(schema, 'type'))}`)

    const choices = ['anyOf', 'oneOf']
      .map(key => listOf(own(schema, key)) ?? [])
      .filter(list => list.length > 0)
    const sealed = place.sealed || isClosed(schema, follow)
    const choiceDecides = choices.some(list => list.some(branch => isClosed(branch, follow)))
    const speaksOfObject = (spoken & kinds & OBJECT) !== 0
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
      const said = branches.map(branch => branch.note).filter(Boolean)
      addPart(isAny(union) && said.length > 0 ? anyBecause(`one of: ${said.join(' | ')}`) : union)
    }

    const open = !sealed && !(choiceDecides && choosing)
    const base = yield ownType(schema, place, { declared, kinds, spoken, parts, open, sealed })
    let all = intersectionOf([base, ...parts])
    if (parts.length > 0 && all.kinds === OBJECT) {
      const refused = refusedKeys(schema, follow).map(key => `${propertyName(key)}?: never`)
      if (refused.length > 0) all = intersectionOf([all, typeOf(`{ ${refused.join('; ')} }`, OBJECT)])
    }
    if (all.note) notes.push(all.note)
    else if (isAny(all) && base.note) notes.push(base.note)
    const nullable = own(schema, 'nullable') === true && (outer & 8) !== 0
    return { ...(nullable ? unionOf([all, typeOf('null', 8)]) : all), note: notes.filter(Boolean).join('; ') }
  }

  function* reference(from: SchemaNode, ref: unknown, place: Place): Step<TsType> {
    const found = typeof ref === 'string' ? resolve(from, ref) : undefined
    if (!found) return anyBecause(commentText(`unresolved $ref ${commentValue(ref)}`))
    const { schema, hint } = found
    if (!isNode(schema)) return yield print(schema, place)
    return yield names.refer(schema, hint || 'Root', place, inner => print(schema, inner))
  }

  function* ownType(schema: SchemaNode, place: Place, said: Said): Step<TsType> {
    const { declared, kinds, spoken, parts } = said
    const constant = own(schema, 'const')
    const values = constant === undefined ? listOf(own(schema, 'enum')) : [constant]
    if (values) {
      const allowed = values.filter(
        value => (kindOf(value) & kinds) !== 0 && (!declared || hasTypeName(value, declared)),
      )
      const type = unionOf(allowed.map(literalType))
      return values.length > 0 && allowed.length === 0 ? { ...type, note: 'no value has this type' } : type
    }
    if (kinds === 0) return NEVER
    const detailed = spoken & kinds
    if (!detailed) {
      // Without details the kinds are said already: by the enclosing schema, or by a narrower part.
      if (!declared || (place.kinds !== undefined && (place.kinds & ~kinds) === 0)) return ANY
      if (kinds === ALL_KINDS || parts.some(part => (part.kinds & ~kinds) === 0)) return ANY
    }
    const types: TsType[] = []
    const names = declared ?? [...KINDS.keys()]
    for (const kind of new Set(names.map(name => KINDS.get(name) ?? 0))) {
      if ((kind & kinds) === 0) continue
      if (kind & detailed & OBJECT) {
        const setting = { open: said.open, alone: parts.length === 0 && !place.sealed }
        types.push(yield objectType(printer, schema, place, setting))
      } else if (kind & detailed & ARRAY) {
        types.push(yield arrayType(printer, schema, place))
      } else types.push(simpleType(kind, said.sealed || parts.length > 0))
    }
    const notes = types.map(type => type.note).filter(Boolean)
    return { ...unionOf(types.map(({ note, ...type }) => type)), note: notes.join(', ') }
  }
}

interface Said {
  readonly declared: readonly string[] | undefined
  readonly kinds: number
  /** The containers that this schema has keywords for. */
  readonly spoken: number
  /** The other schemas for the same value. */
  readonly parts: readonly TsType[]
  readonly open: boolean
  readonly sealed: boolean | undefined
}

function simpleType(kind: number, partial: boolean): TsType {
  if (kind === OBJECT) return typeOf(partial ? 'object' : 'Record<string, JsonValue>', OBJECT)
  if (kind === ARRAY) return typeOf('JsonValue[]', ARRAY)
  return typeOf(SCALARS.get(kind) ?? 'JsonValue', kind)
}

const SCALARS = new Map([...KINDS].filter(([name]) => name !== 'integer').map(([name, kind]) => [kind, name]))

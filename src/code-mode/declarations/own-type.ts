import { arrayType } from './array-type.js'
import { commentText, commentValue } from './comment-text.js'
import { objectType } from './object-type.js'
import { listOf, own, type SchemaNode } from './read-schema.js'
import type { Step } from './run-steps.js'
import { kindsOf, spokenKinds, typeNames } from './schema-kinds.js'
import { joinNotes, schemaNotes } from './schema-notes.js'
import type { Place, Printing, SchemaPrinter } from './schema-printer.js'
import { hasTypeName, kindOf, literalType } from './ts-literal.js'
import { ALL_KINDS, ANY, ARRAY, KINDS, NEVER, OBJECT, type TsType, typeOf, unionOf } from './ts-type.js'

const BARE = new Map([...KINDS].map(([name, kind]) => [kind, typeOf(bareText(name), kind)]))
const PARTIAL_OBJECT = typeOf('object', OBJECT)
const ALL_NAMES = [...KINDS.keys()]

/** What a schema says of its own, before any other schema for the same value. */
export interface Said {
  /** The names in `type`, when usable. */
  readonly declared: readonly string[] | undefined
  readonly kinds: number
  /** The containers that it has keywords for, and `SAME_VALUE`; `undefined` for a leaf. */
  readonly spoken: number | undefined
  readonly note: string
}

/** How what a schema says of its own meets the other schemas for the same value. */
export interface Setting {
  readonly said: Said
  readonly parts: readonly TsType[]
  /** Say that undeclared keys are allowed, unless the schema decides about them. */
  readonly open: boolean
  readonly sealed: boolean
}

/** Reads the kinds and the comment of a schema. */
export function whatItSays(schema: SchemaNode, place: Place): Said {
  const declared = typeNames(schema)
  const spoken = spokenKinds(schema)
  const kinds = declared
    ? kindsOf(declared) & (place.kinds ?? ALL_KINDS)
    : (place.kinds ?? ((spoken ?? 0) & ALL_KINDS || ALL_KINDS))
  let note = schemaNotes(schema, place.key)
  const type = own(schema, 'type')
  if (!declared && type !== undefined) note = joinNotes(note, commentText(`type ${commentValue(type)}`))
  return { declared, kinds, spoken, note }
}

/** The type of a schema without properties or items: literals or bare kinds. `JsonValue`: nothing to add. */
export function plainType(
  schema: SchemaNode,
  place: Place,
  { declared, kinds }: Said,
  parts: readonly TsType[],
): TsType {
  const values = valuesOf(schema)
  if (values) return literals(values, declared, kinds)
  if (kinds === 0) return NEVER
  // The kinds are said already where the enclosing schema, or a narrower part, says them.
  if (!declared || kinds === ALL_KINDS) return ANY
  if (place.kinds !== undefined && (place.kinds & ~kinds) === 0) return ANY
  if (parts.some(part => (part.kinds & ~kinds) === 0)) return ANY
  const partial = place.sealed === true || parts.length > 0
  if (declared.length === 1) return bareType(kinds, partial)
  return unionOf(bitsOf(declared, kinds).map(kind => bareType(kind, partial)))
}

/** The type that the schema's own keywords describe. */
export function ownType(
  printer: SchemaPrinter,
  schema: SchemaNode,
  place: Place,
  setting: Setting,
): Printing {
  const { said, parts } = setting
  const { declared, kinds } = said
  const detailed = (said.spoken ?? 0) & kinds
  if (!detailed || valuesOf(schema)) return plainType(schema, place, said, parts)
  const alone = parts.length === 0 && !place.sealed
  const printings = bitsOf(declared ?? ALL_NAMES, kinds).map(kind => {
    if (kind & detailed & OBJECT) return objectType(printer, schema, place, { open: setting.open, alone })
    if (kind & detailed & ARRAY) return arrayType(printer, schema, place)
    return bareType(kind, setting.sealed || parts.length > 0)
  })
  const [only] = printings
  return only && printings.length === 1 ? only : unionOfAll(printings)
}

function* unionOfAll(printings: readonly Printing[]): Step<TsType> {
  const types: TsType[] = []
  let notes = ''
  for (const printing of printings) {
    const { note, ...type } = yield printing
    types.push(type)
    notes = joinNotes(notes, note)
  }
  return { ...unionOf(types), note: notes }
}

function valuesOf(schema: SchemaNode): readonly unknown[] | undefined {
  const constant = own(schema, 'const')
  return constant === undefined ? listOf(own(schema, 'enum')) : [constant]
}

function literals(
  values: readonly unknown[],
  declared: readonly string[] | undefined,
  kinds: number,
): TsType {
  const allowed = values.filter(
    value => (kindOf(value) & kinds) !== 0 && (!declared || hasTypeName(value, declared)),
  )
  const type = unionOf(allowed.map(literalType))
  return values.length > 0 && allowed.length === 0 ? { ...type, note: 'no value has this type' } : type
}

function bareText(name: string): string {
  if (name === 'integer') return 'number'
  if (name === 'object') return 'Record<string, JsonValue>'
  return name === 'array' ? 'JsonValue[]' : name
}

function bitsOf(names: readonly string[], kinds: number): number[] {
  const bits: number[] = []
  for (const name of names) {
    const kind = KINDS.get(name) ?? 0
    if ((kind & kinds) !== 0 && !bits.includes(kind)) bits.push(kind)
  }
  return bits
}

function bareType(kind: number, partial: boolean): TsType {
  if (kind === OBJECT && partial) return PARTIAL_OBJECT
  return BARE.get(kind) ?? ANY
}

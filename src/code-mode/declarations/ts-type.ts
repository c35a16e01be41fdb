/** A printed type as the members of its union; none is `never`. */
export interface TsType {
  readonly members: readonly string[]
  /** Which JSON kinds its values may be, as a mask of `KINDS`. */
  readonly kinds: number
  /** True when a member is an intersection, which `[]` would split. */
  readonly compound?: boolean
  /** How many union members the compiler sees behind the text. */
  readonly width?: number
  /** What a comment should say about it. */
  readonly note?: string
}

/** The JSON kinds by the names schemas use. */
export const KINDS: ReadonlyMap<string, number> = new Map([
  ['string', 1],
  ['number', 2],
  ['integer', 2],
  ['boolean', 4],
  ['null', 8],
  ['array', 16],
  ['object', 32],
])
export const NULL = 8
export const ARRAY = 16
export const OBJECT = 32
export const ALL_KINDS = 63

// The compiler gives up at 100 000 combinations (TS2590).
const MAX_COMBINATIONS = 5_000

export const NEVER: TsType = { members: [], kinds: 0 }
export const ANY: TsType = { members: ['JsonValue'], kinds: ALL_KINDS }

export function anyBecause(note: string): TsType {
  return { ...ANY, note }
}

export function isAny(type: TsType): boolean {
  return type.members.length === 1 && type.members[0] === 'JsonValue'
}

export function typeOf(text: string, kinds: number): TsType {
  return { members: [text], kinds }
}

export function withNote(type: TsType, note: string): TsType {
  if (note === (type.note ?? '')) return type
  const { members, kinds, compound = false, width = members.length } = type
  return { members, kinds, compound, width, note }
}

/** The type's text, in a place where nothing binds tighter than `|`. */
export function textOf(type: TsType): string {
  return type.members.join(' | ') || 'never'
}

/** The text with its note in a comment before it. */
export function notedText(type: TsType): string {
  return type.note ? `/* ${type.note} */ ${textOf(type)}` : textOf(type)
}

/** The array of it, parenthesised where needed. */
export function arrayText(item: TsType): string {
  const text = textOf(item)
  return item.members.length > 1 || item.compound || text.includes('/*') ? `(${text})[]` : `${text}[]`
}

/** The union without duplicates; `JsonValue` absorbs the rest. */
export function unionOf(types: readonly TsType[]): TsType {
  if (types.some(isAny)) return ANY
  const members = new Set<string>()
  for (const type of types) {
    type.members.forEach((member, index) => {
      members.add(index === 0 && type.note ? `/* ${type.note} */ ${member}` : member)
    })
  }
  if (members.has('true') && members.has('false')) {
    members.delete('true')
    members.delete('false')
    members.add('boolean')
  }
  return {
    members: [...members],
    kinds: types.reduce((kinds, type) => kinds | type.kinds, 0),
    compound: types.some(type => type.compound),
    width: types.reduce((width, type) => width + widthOf(type), 0),
  }
}

/** The intersection; wider than exact (`JsonValue`) where the compiler could not cope. */
export function intersectionOf(types: readonly TsType[]): TsType {
  const parts = types.filter(type => !isAny(type))
  const first = parts[0]
  if (!first) return ANY
  if (parts.length === 1) return first
  const kinds = parts.reduce((mask, type) => mask & type.kinds, ALL_KINDS)
  if (kinds === 0 || parts.some(type => type.members.length === 0)) return NEVER
  const width = parts.reduce((product, type) => product * widthOf(type), 1)
  if (width > MAX_COMBINATIONS) return anyBecause('too many combinations to print')
  const texts = parts.map(type => (type.members.length > 1 ? `(${notedText(type)})` : notedText(type)))
  const unique = [...new Set(texts)]
  return { members: [unique.join(' & ')], kinds, compound: unique.length > 1, width }
}

function widthOf(type: TsType): number {
  return Math.max(type.width ?? 0, type.members.length)
}

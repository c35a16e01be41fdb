import { docComment } from './comment-text.js'
import type { Step } from './run-steps.js'
import type { NamedType, Place, Printing } from './schema-printer.js'
import { ALL_KINDS, anyBecause, type TsType, textOf, typeOf } from './ts-type.js'

/** Hands out names under one prefix, none twice. */
export type Namer = (hint: string) => string

/** The declarations of one tool: each schema printed once, and named when it has to be. */
export class NamedTypes {
  readonly #bySchema = new Map<object, NamedType>()
  readonly #named: NamedType[] = []
  readonly #namer: Namer
  readonly #inlineUpTo: number

  /** Types that are not recursive and no longer than `inlineUpTo` stand in place. */
  constructor(namer: Namer, inlineUpTo: number) {
    this.#namer = namer
    this.#inlineUpTo = inlineUpTo
  }

  /** The type of a schema printed apart, by name or in place. */
  *refer(
    schema: object,
    hint: string,
    place: Place,
    print: (place: Place) => Printing,
    inlineUpTo: number = this.#inlineUpTo,
  ): Step<TsType> {
    let entry = this.#bySchema.get(schema)
    const { owner } = place
    if (owner && entry && reaches(entry, owner)) return anyBecause('refers to itself')
    if (!entry) {
      entry = { hint, parts: new Set() }
      this.#bySchema.set(schema, entry)
      owner?.parts.add(entry)
      entry.type = yield print({ level: 0, depth: 0, owner: entry, path: new Set() })
    }
    owner?.parts.add(entry)
    const { type } = entry
    if (type && !entry.name && textOf(type).length <= inlineUpTo) return indented(type, place.level)
    if (!entry.name) {
      entry.name = this.#namer(entry.hint)
      this.#named.push(entry)
    }
    return {
      ...typeOf(entry.name, type?.kinds ?? ALL_KINDS),
      width: type?.width ?? type?.members.length ?? 1,
    }
  }

  /** The alias declarations, in the order of first use. */
  declarations(): string[] {
    return this.#named.map(({ name, type }) =>
      type ? `${docComment(type.note, '')}type ${name} = ${textOf(type)}` : `type ${name} = JsonValue`,
    )
  }
}

function reaches(from: NamedType, to: NamedType): boolean {
  const seen = new Set([from])
  for (const entry of seen) {
    if (entry === to) return true
    for (const part of entry.parts) seen.add(part)
  }
  return false
}

function indented(type: TsType, level: number): TsType {
  const indent = `\n${'  '.repeat(level)}`
  return { ...type, members: type.members.map(member => member.replaceAll('\n', indent)) }
}

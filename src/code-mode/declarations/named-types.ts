import { docComment } from './comment-text.js'
import type { RingOf } from './rings.js'
import type { Step } from './run-steps.js'
import type { Place, Printing } from './schema-printer.js'
import { ALL_KINDS, anyBecause, type TsType, textOf, typeOf } from './ts-type.js'

/** A schema that a reference points to, or that is too deep to stand in place. */
interface NamedType {
  readonly hint: string
  /** Set at the first use that needs a name. */
  name?: string
  /** Set when printed. */
  type?: TsType
}

/** Hands out names under one prefix, none twice. */
export type Namer = (hint: string) => string

export interface NamedTypesOptions {
  readonly namer: Namer
  /** Types that are not recursive and no longer than this stand in place. */
  readonly inlineUpTo: number
  /** Rings of schemas that apply each other to the same value. */
  readonly ringOf: RingOf
}

/** The declarations of one tool: each schema printed once, and named when it has to be. */
export class NamedTypes {
  readonly #bySchema = new Map<object, NamedType>()
  /** Those that stand where another schema decides about undeclared keys, and so say nothing of them. */
  readonly #sealed = new Map<object, NamedType>()
  readonly #named: NamedType[] = []
  readonly #options: NamedTypesOptions

  constructor(options: NamedTypesOptions) {
    this.#options = options
  }

  /** The type of a schema printed apart, by name or in place. */
  *refer(
    schema: object,
    hint: string,
    place: Place,
    print: (place: Place) => Printing,
    inlineUpTo: number = this.#options.inlineUpTo,
  ): Step<TsType> {
    const { owner, sealed } = place
    const { ringOf, namer } = this.#options
    if (owner && ringOf(owner) === ringOf(schema)) return anyBecause('refers to itself')
    const known = sealed ? this.#sealed : this.#bySchema
    let entry = known.get(schema)
    if (!entry) {
      entry = { hint }
      known.set(schema, entry)
      entry.type = yield print({ level: 0, depth: 0, owner: schema, sealed, path: [] })
    }
    const { type } = entry
    if (type && !entry.name && textOf(type).length <= inlineUpTo) return indented(type, place.level)
    if (!entry.name) {
      entry.name = namer(entry.hint)
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

function indented(type: TsType, level: number): TsType {
  const indent = `\n${'  '.repeat(level)}`
  return { ...type, members: type.members.map(member => member.replaceAll('\n', indent)) }
}

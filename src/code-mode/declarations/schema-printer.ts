import type { Step } from './run-steps.js'
import type { TsType } from './ts-type.js'

/** A schema that a reference points to, or that is too deep to stand in place. */
export interface NamedType {
  readonly hint: string
  /** Set at the first use that needs a name. */
  name?: string
  /** Set when printed. */
  type?: TsType
  /** The named types its alias consists of directly: a cycle of these would not compile. */
  readonly parts: Set<NamedType>
}

/** Where a schema stands while it is printed. */
export interface Place {
  /** The property this is the schema of. */
  readonly key?: string
  /** Indentation. */
  readonly level: number
  /** Nesting of schemas, of any kind. */
  readonly depth: number
  /** The kinds that an enclosing schema for the same value allows; absent: not said. */
  readonly kinds?: number | undefined
  /** True when another schema for the same value already decides about undeclared keys. */
  readonly sealed?: boolean | undefined
  /** The named type whose alias this text is directly part of, not behind a property or element. */
  readonly owner?: NamedType | undefined
  /** The schemas around this one, up to the enclosing named type. */
  readonly path: Set<object>
}

/** A type that is there, or the step that prints it. */
export type Printing = TsType | Step<TsType>

/** What the printers of the parts of a schema need from the whole. */
export interface SchemaPrinter {
  print(schema: unknown, place: Place): Printing
  /** How an object that may have undeclared keys says so. */
  readonly openText: string
}

/** The place of a property or element: another value, so nothing said about this one holds. */
export function placeInside(place: Place): Place {
  return { level: place.level + 1, depth: place.depth + 1, path: place.path }
}

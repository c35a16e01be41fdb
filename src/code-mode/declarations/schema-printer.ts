import type { Step } from './run-steps.js'
import type { TsType } from './ts-type.js'

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
  /** The schema whose named type this text is directly part of, not behind a property or element. */
  readonly owner?: object | undefined
  /** The schemas around this one, up to the enclosing named type. */
  readonly path: object[]
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
export function placeInside({ level, depth, path }: Place, key?: string): Place {
  return key === undefined
    ? { level: level + 1, depth: depth + 1, path }
    : { key, level: level + 1, depth: depth + 1, path }
}

import type { JsonValue } from '../json/json-value.js'

/** Takes any lossless JSON. */
export interface AnyPlan {
  readonly kind: 'any'
}

/** Takes a scalar of one type, perhaps only some values of it. */
export interface ScalarPlan {
  readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly allowed?: readonly JsonValue[]
}

/** Takes an array. */
export interface ArrayPlan {
  readonly kind: 'array'
  items?: SchemaPlan
}

/** One declared property. */
export interface FieldPlan {
  readonly name: string
  readonly required: boolean
  plan: SchemaPlan
}

/** Takes an object. */
export interface ObjectPlan {
  readonly kind: 'object'
  readonly closed: boolean
  readonly fields: FieldPlan[]
}

/** Takes what exactly one branch takes. */
export interface OneOfPlan {
  readonly kind: 'oneOf'
  readonly branches: SchemaPlan[]
}

/** A node of a checked schema, in the shape in which values are compared with it. A tree: it never contains itself. */
export type SchemaPlan = AnyPlan | ScalarPlan | ArrayPlan | ObjectPlan | OneOfPlan

/** A checked schema. */
export interface RootPlan {
  readonly plan: SchemaPlan
  /** Levels of nodes: how deep a recursion over the plan goes. */
  readonly depth: number
}

/** The kinds whose values have no parts. */
export const SCALAR_KINDS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

export const ANY: AnyPlan = Object.freeze({ kind: 'any' })

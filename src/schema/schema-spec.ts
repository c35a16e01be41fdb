import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { JsonSchemaOf } from './json-schema.js'
import type { StandardInput, StandardOutput, StandardSchema, StandardSchemaPair } from './standard-schema.js'

/** What every schema node may say about itself. Nothing here changes what is accepted; defaults are not applied. */
export interface SpecAnnotations {
  readonly title?: string
  /** For the model. */
  readonly description?: string
  readonly default?: JsonValue
  readonly examples?: readonly JsonValue[]
}

/** A string, or some strings. */
export interface StringSpec extends SpecAnnotations {
  readonly type: 'string'
  readonly enum?: readonly string[]
  readonly const?: string
}

/** A number, or some numbers. `integer` takes whole numbers only, 1.0 included. */
export interface NumberSpec extends SpecAnnotations {
  readonly type: 'number' | 'integer'
  readonly enum?: readonly number[]
  readonly const?: number
}

/** A boolean. */
export interface BooleanSpec extends SpecAnnotations {
  readonly type: 'boolean'
  readonly enum?: readonly boolean[]
  readonly const?: boolean
}

/** Null. */
export interface NullSpec extends SpecAnnotations {
  readonly type: 'null'
  readonly enum?: readonly null[]
  readonly const?: null
}

/** Any lossless JSON. */
export interface JsonSpec extends SpecAnnotations {
  readonly type: 'json'
}

/** An array; without `items` of any lossless JSON. */
export interface ArraySpec extends SpecAnnotations {
  readonly type: 'array'
  readonly items?: ValueSpec
}

/** An object. It always says whether undeclared properties may stand beside the declared ones. */
export interface ObjectSpec extends SpecAnnotations {
  readonly type: 'object'
  readonly additionalProperties: boolean
  readonly properties?: SchemaSpec
}

/** A value that matches exactly one of at least two branches. */
export interface OneOfSpec extends SpecAnnotations {
  readonly type?: never
  readonly oneOf: readonly [ValueSpec, ValueSpec, ...ValueSpec[]]
}

/** A node without regard to where it stands. */
export type SpecNode =
  | StringSpec
  | NumberSpec
  | BooleanSpec
  | NullSpec
  | JsonSpec
  | ArraySpec
  | ObjectSpec
  | OneOfSpec

/** One node of the schema language. */
export type ValueSpec = SpecNode & { readonly required?: never }

/** A node that stands for a property. Optional unless it says otherwise. */
export type PropertySpec = SpecNode & { readonly required?: true }

/** A map of properties: the parameters of a tool, an object that undeclared properties may join. */
export interface SchemaSpec {
  readonly [name: string]: PropertySpec
}

/** An intersection of properties as one object type. */
export type Flat<T> = { [K in keyof T]: T[K] }

/** The properties of an object node, required and optional ones apart, exact for `D` levels of containers. */
export type InferFields<P, D extends number> = Flat<
  { -readonly [K in keyof P as P[K] extends { readonly required: true } ? K : never]: InferNode<P[K], D> } & {
    -readonly [K in keyof P as P[K] extends { readonly required: true } ? never : K]?: InferNode<P[K], D>
  }
>

// How many container levels stay after one more: types are exact to 16, and JsonValue below.
/** Part of inference: see `InferNode`. */
export type Below = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** Part of inference: see `InferNode`. */
export type InferObject<S, D extends number> = S extends { readonly properties: infer P }
  ? string extends keyof P
    ? Record<string, JsonValue>
    : S extends { readonly additionalProperties: false }
      ? keyof P extends never
        ? Record<string, never>
        : InferFields<P, D>
      : InferFields<P, D> & Record<string, JsonValue>
  : S extends { readonly additionalProperties: false }
    ? Record<string, never>
    : Record<string, JsonValue>

/** The value of an array or object node. */
export type InferContainer<S, T, D extends number> = D extends 0
  ? JsonValue
  : T extends 'array'
    ? S extends { readonly items: infer I }
      ? InferNode<I, Below[D]>[]
      : JsonValue[]
    : InferObject<S, Below[D]>

/** The values of the scalar types of the schema language. */
export interface ScalarTypes {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
  readonly json: JsonValue
}

/** The values of the branches of a `oneOf`. */
export type InferBranch<B, D extends number> = B extends unknown ? InferNode<B, D> : never

// A node whose type was widened to the whole language could be anything; following it would never end.
/** The value that a node of the schema language describes, exact for `D` levels of containers. */
export type InferNode<S, D extends number> = ValueSpec extends S
  ? JsonValue
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly enum: readonly (infer E)[] }
      ? E
      : S extends { readonly oneOf: readonly (infer B)[] }
        ? ValueSpec extends B
          ? JsonValue
          : InferBranch<B, D>
        : S extends { readonly type: infer T }
          ? T extends keyof ScalarTypes
            ? ScalarTypes[T]
            : InferContainer<S, T, D>
          : JsonValue

/** The value that an output schema describes, as `render` gets it: for a Standard Schema what it gives. */
export type InferValue<S> = ValueSpec extends S
  ? JsonValue
  : S extends StandardSchema<any, any>
    ? StandardOutput<S>
    : S extends StandardSchemaPair<any, any>
      ? StandardOutput<S['schema']>
      : S extends JsonSchemaOf<infer T>
        ? T
        : InferNode<S, 16>

/** What a body may return for an output schema: for a Standard Schema what it takes, else `InferValue`. */
export type InferInput<S> =
  S extends StandardSchema<any, any>
    ? StandardInput<S>
    : S extends StandardSchemaPair<any, any>
      ? StandardInput<S['schema']>
      : InferValue<S>

/** The arguments that `parameters` describe, as the body gets them. */
export type InferArgs<P> =
  P extends StandardSchema<any, any>
    ? StandardOutput<P>
    : P extends StandardSchemaPair<any, any>
      ? StandardOutput<P['schema']>
      : P extends JsonSchemaOf<infer T>
        ? T
        : P extends { readonly type: string }
          ? JsonObject
          : string extends keyof P
            ? JsonObject
            : InferFields<P, 16>

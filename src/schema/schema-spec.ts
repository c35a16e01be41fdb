import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { JsonSchemaOf, RawJsonSchema } from './json-schema.js'
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

/** What is no property: nothing requires it. */
export interface NotRequired {
  readonly required?: never
}

/** Whether a property is required. Optional unless it says otherwise. */
export interface MaybeRequired {
  readonly required?: true
}

/** One node of the schema language. */
export type ValueSpec = SpecNode & NotRequired

/** A node that stands for a property. Optional unless it says otherwise. */
export type PropertySpec = SpecNode & MaybeRequired

/** A map of properties: the parameters of a tool, an object that undeclared properties may join. */
export interface SchemaSpec {
  readonly [name: string]: PropertySpec
}

// Every tool makes the compiler instantiate what follows. So shapes are interfaces of their own, for an object type inside a
// generic one is made anew for each use, and what is frequent is decided first.

/** Part of inference: a string that is not narrowed. */
export interface PlainString {
  readonly type: 'string'
  readonly const?: undefined
  readonly enum?: undefined
}

/** Part of inference: a number that is not narrowed. */
export interface PlainNumber {
  readonly type: 'number' | 'integer'
  readonly const?: undefined
  readonly enum?: undefined
}

/** Part of inference: a boolean that is not narrowed. */
export interface PlainBoolean {
  readonly type: 'boolean'
  readonly const?: undefined
  readonly enum?: undefined
}

/** Part of inference: a node that says it is required. */
export interface WithRequired {
  readonly required: true
}

/** Part of inference: a node of one value. */
export interface WithConst {
  readonly const: unknown
}

/** Part of inference: a node of some values. */
export interface WithEnum {
  readonly enum: readonly unknown[]
}

/** Part of inference: a union. */
export interface WithOneOf {
  readonly oneOf: readonly unknown[]
}

/** Part of inference: a node that is no union. */
export interface WithType {
  readonly type: unknown
}

/** Part of inference: an array that says what it holds. */
export interface WithItems {
  readonly items: unknown
}

/** Part of inference: an object that declares properties. */
export interface WithProperties {
  readonly properties: object
}

/** Part of inference: an object that takes declared properties only. */
export interface ClosedObject {
  readonly additionalProperties: false
}

/** Part of inference: the names of the required properties. */
export type RequiredNames<P> = {
  [K in keyof P]: P[K] extends WithRequired ? K : never
}[keyof P]

/** The properties of an object node, required and optional ones apart, exact for `D` levels of containers. */
export type InferFields<P, D extends number> = P extends unknown
  ? InferProperties<P, RequiredNames<P>, D>
  : never

// One mapped type over the modifiers of an intersection: optional, where no part says otherwise. The condition, which is
// never met, makes the compiler show the properties instead of this type's name.
/** Part of inference: the properties `P`, of which those named `R` are required. */
export type InferProperties<P, R extends keyof P, D extends number> = D extends never
  ? never
  : {
      -readonly [K in keyof ({ [O in keyof P]?: 0 } & { [N in R]: 0 })]: P[K] extends PlainString
        ? string
        : P[K] extends PlainNumber
          ? number
          : P[K] extends PlainBoolean
            ? boolean
            : InferNode<P[K], D>
    }

// How many container levels stay after one more: types are exact to 16, and JsonValue below.
/** Part of inference: see `InferNode`. */
export type Below = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** The properties of an object node that takes no others. */
export type InferClosed<P, D extends number> = P extends unknown
  ? keyof P extends never
    ? Record<string, never>
    : InferProperties<P, RequiredNames<P>, D>
  : never

/** Part of inference: see `InferNode`. */
export type InferObject<S, D extends number> = S extends WithProperties
  ? string extends keyof S['properties']
    ? Record<string, JsonValue>
    : S extends ClosedObject
      ? InferClosed<S['properties'], D>
      : InferFields<S['properties'], D> & Record<string, JsonValue>
  : S extends ClosedObject
    ? Record<string, never>
    : Record<string, JsonValue>

/** The value of an array or object node. */
export type InferContainer<S, T, D extends number> = D extends 0
  ? JsonValue
  : T extends 'array'
    ? S extends WithItems
      ? InferNode<S['items'], Below[D]>[]
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

/** The value of a node by its type, `T`. */
export type InferTyped<S, T, D extends number> = T extends keyof ScalarTypes
  ? ScalarTypes[T]
  : InferContainer<S, T, D>

/** The values of the branches of a `oneOf`. */
export type InferBranch<B, D extends number> = ValueSpec extends B
  ? JsonValue
  : B extends unknown
    ? InferNode<B, D>
    : never

// A node whose type was widened to the whole language could be anything; following it would never end.
/** The value that a node of the schema language describes, exact for `D` levels of containers. */
export type InferNode<S, D extends number> = ValueSpec extends S
  ? JsonValue
  : S extends WithConst
    ? S['const']
    : S extends WithEnum
      ? S['enum'][number]
      : S extends WithOneOf
        ? InferBranch<S['oneOf'][number], D>
        : S extends WithType
          ? InferTyped<S, S['type'], D>
          : JsonValue

/** Schemas of other languages: a Standard Schema, alone or in a pair, and `jsonSchema<T>(raw)`. */
export type ForeignSchema = StandardSchema<any, any> | StandardSchemaPair<any, any> | JsonSchemaOf<any>

/** What a schema of another language describes: for a Standard Schema what it gives, for plain JSON Schema any object. */
export type InferForeign<S> =
  S extends StandardSchema<any, any>
    ? StandardOutput<S>
    : S extends StandardSchemaPair<any, any>
      ? StandardOutput<S['schema']>
      : S extends JsonSchemaOf<infer T>
        ? T
        : JsonObject

/** The value that an output schema describes, as `render` gets it: for a Standard Schema what it gives. */
export type InferValue<S> = ValueSpec extends S
  ? JsonValue
  : S extends ForeignSchema
    ? InferForeign<S>
    : InferNode<S, 16>

/** What a body may return for an output schema: for a Standard Schema what it takes, else `InferValue`. */
export type InferInput<S> =
  S extends StandardSchema<any, any>
    ? StandardInput<S>
    : S extends StandardSchemaPair<any, any>
      ? StandardInput<S['schema']>
      : InferValue<S>

/** The arguments that `parameters` describe, as the body gets them. */
export type InferArgs<P> = P extends ForeignSchema | RawJsonSchema
  ? InferForeign<P>
  : string extends keyof P
    ? JsonObject
    : InferProperties<P, RequiredNames<P>, 16>

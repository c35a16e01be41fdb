import type { JsonValue } from '../json/json-value.js'

/** Raw JSON Schema as an object literal. Its string `type` tells it from a map with a property of that name. */
export interface RawJsonSchema {
  readonly type: string
}

/** Raw JSON Schema together with the TypeScript type of what it describes. Made by `jsonSchema()`. */
export interface JsonSchemaOf<T> {
  readonly kind: 'json-schema'
  /** The schema as it was given. */
  readonly jsonSchema: object
  /** For the compiler only; never there at run time. */
  readonly '~type'?: T
}

/**
 * Says which type a raw JSON Schema describes, for `parameters` and `output.schema`. The type is taken on trust; values are
 * checked at run time by the registry's validator.
 */
export function jsonSchema<T = JsonValue>(raw: object): JsonSchemaOf<T> {
  return Object.freeze({ kind: 'json-schema', jsonSchema: raw })
}

/** True for what `jsonSchema()` makes. A map of properties may have one named `kind`, but there it is no text. */
export function isJsonSchemaOf(value: unknown): value is JsonSchemaOf<any> {
  if (typeof value !== 'object' || value === null) return false
  return (value as { kind?: unknown }).kind === 'json-schema' && Object.hasOwn(value, 'jsonSchema')
}

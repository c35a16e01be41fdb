import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import type { JsonObject } from '../json/json-value.js'
import { draftOf } from './json-schema-keywords.js'
import { readJsonSchema } from './read-schema.js'
import type { StandardPrinter, StandardSchema } from './standard-schema.js'

/** Which side of a schema is printed: what it takes, or what it gives. */
export type SchemaSide = 'input' | 'output'

function refuse(root: string, vendor: string, why: string, cause?: unknown): never {
  const message = `${root}: ${vendor} cannot print this schema as JSON Schema (${why}); pass { schema, jsonSchema } instead`
  throw new OutputSchemaError('Unsupported schema', [{ path: root, message }], { cause })
}

/** The JSON Schema of one side of a Standard Schema, printed by its own library. */
export function standardJsonSchema(schema: StandardSchema, side: SchemaSide, root: string): JsonObject {
  const standard = schema['~standard']
  const vendor = String(standard.vendor)
  const { jsonSchema: printer } = standard as { jsonSchema?: StandardPrinter }
  if (typeof printer?.[side] !== 'function')
    return refuse(root, vendor, 'it does not implement ~standard.jsonSchema')
  let printed: unknown
  try {
    // Libraries leave hidden properties and absent keywords in what they print; its JSON has neither.
    printed = JSON.parse(JSON.stringify(printer[side]({ target: 'draft-2020-12' })))
  } catch (error) {
    return refuse(root, vendor, describeError(error), error)
  }
  return withoutDefaultDialect(readJsonSchema(printed, 'schema', root))
}

// It is what no $schema means, and some providers refuse the keyword.
function withoutDefaultDialect(schema: JsonObject): JsonObject {
  const { $schema, ...rest } = schema
  return $schema !== undefined && draftOf(schema) === '2020-12' ? Object.freeze(rest) : schema
}

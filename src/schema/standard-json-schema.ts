import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import type { JsonObject } from '../json/json-value.js'
import { draftOf } from './json-schema-keywords.js'
import { readJsonSchema } from './read-schema.js'
import { isThenable, type StandardPrinter, type StandardSchema } from './standard-schema.js'

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
    const given = printer[side]({ target: 'draft-2020-12' })
    if (isThenable(given)) throw new TypeError('it printed a promise')
    // Libraries leave hidden properties and absent keywords in what they print; its JSON has neither.
    printed = JSON.parse(JSON.stringify(given))
  } catch (error) {
    return refuse(root, vendor, describeError(error), error)
  }
  return printedJsonSchema(printed, root)
}

/** What a library printed, without a `$schema` that says what having none means: some providers refuse the keyword. */
export function printedJsonSchema(printed: unknown, root: string): JsonObject {
  const schema = readJsonSchema(printed, 'schema', root)
  const { $schema, ...rest } = schema
  return $schema !== undefined && draftOf(schema) === '2020-12' ? Object.freeze(rest) : schema
}

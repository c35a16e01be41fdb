import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { jsonParser } from './check-value.js'
import { compilePlan } from './compile-plan.js'
import { compileStandard } from './compile-standard.js'
import type { CompiledSchema } from './compiled-schema.js'
import { isJsonSchemaOf, type JsonSchemaOf } from './json-schema.js'
import { printNode } from './print-spec.js'
import { readJsonSchema, readSchema, refuseFaults } from './read-schema.js'
import type { ValueSpec } from './schema-spec.js'
import type { StandardSchema, StandardSchemaPair } from './standard-schema.js'

/** What `output.schema` may be: a schema node, raw JSON Schema with its type, or a Standard Schema. */
export type OutputSchemaInput =
  | ValueSpec
  | JsonSchemaOf<any>
  | StandardSchema<any, any>
  | StandardSchemaPair<any, any>

const WHAT = 'output schema'
const NAMES = { schema: 'schema', value: 'value' }

function compile(schema: OutputSchemaInput): CompiledSchema {
  const standard = compileStandard(schema, 'output', NAMES)
  if (standard !== undefined) return standard
  if (isJsonSchemaOf(schema)) return { jsonSchema: readJsonSchema(schema.jsonSchema, WHAT, 'schema') }
  const copy = readSchema(schema, WHAT, 'schema')
  const { violations, root } = compilePlan(copy, 'schema', 'spec')
  refuseFaults(WHAT, violations)
  return { jsonSchema: printNode(copy), parse: jsonParser(root, 'value') }
}

/**
 * Compiles the schema of a tool's canonical value.
 * @throws OutputSchemaError `UNSUPPORTED_SCHEMA`, listing everything that is wrong with it.
 */
export function compileOutputSchema(schema: OutputSchemaInput): CompiledSchema {
  try {
    return compile(schema)
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    const message = `schema could not be read: ${describeError(error)}`
    throw new OutputSchemaError(`Unsupported ${WHAT}`, [{ path: 'schema', message }], { cause: error })
  }
}

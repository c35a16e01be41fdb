import { OutputSchemaError } from '../errors/errors.js'
import type { CompiledSchema } from './compiled-schema.js'
import { printedJsonSchema, type SchemaSide, standardJsonSchema } from './standard-json-schema.js'
import { standardParser } from './standard-parser.js'
import {
  isStandardSchema,
  isStandardSchemaPair,
  isStandardWithoutValidate,
  type StandardSchema,
} from './standard-schema.js'

/** What messages call a schema and the values it describes. */
export interface SchemaNames {
  readonly schema: string
  readonly value: string
}

function requireVersion(schema: StandardSchema, root: string): void {
  const version: unknown = schema['~standard'].version
  if (version === 1) return
  throw new OutputSchemaError('Unsupported schema', [
    { path: root, message: `${root} implements version ${String(version)} of Standard Schema, not 1` },
  ])
}

/** Compiles a Standard Schema or a pair; `undefined` for anything else. `side` is what the model sees of it. */
export function compileStandard(
  schema: unknown,
  side: SchemaSide,
  names: SchemaNames,
): CompiledSchema | undefined {
  if (isStandardSchema(schema)) {
    requireVersion(schema, names.schema)
    const jsonSchema = standardJsonSchema(schema, side, names.schema)
    return { jsonSchema, parse: standardParser(schema, names.value) }
  }
  if (isStandardWithoutValidate(schema)) {
    const message = `${names.schema} implements Standard Schema without a function to validate; pass { schema, jsonSchema } instead`
    throw new OutputSchemaError('Unsupported schema', [{ path: names.schema, message }])
  }
  if (!isStandardSchemaPair(schema)) return undefined
  requireVersion(schema.schema, names.schema)
  const jsonSchema = printedJsonSchema(schema.jsonSchema, `${names.schema}.jsonSchema`)
  return { jsonSchema, parse: standardParser(schema.schema, names.value) }
}

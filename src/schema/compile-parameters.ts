import { describeError } from '../errors/describe-error.js'
import { OutputSchemaError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { isRecord } from '../json/is-record.js'
import { jsonParser } from './check-value.js'
import { compileMapPlan } from './compile-plan.js'
import { compileStandard } from './compile-standard.js'
import type { CompiledSchema } from './compiled-schema.js'
import { isJsonSchemaOf, type JsonSchemaOf, type RawJsonSchema } from './json-schema.js'
import { printMap } from './print-spec.js'
import { readJsonSchema, readSchema, refuseFaults } from './read-schema.js'
import type { SchemaSpec } from './schema-spec.js'
import type { StandardSchema, StandardSchemaPair } from './standard-schema.js'

/** What `parameters` may be: a map of properties, raw JSON Schema with or without its type, or a Standard Schema. */
export type ParametersInput =
  | SchemaSpec
  | JsonSchemaOf<any>
  | RawJsonSchema
  | StandardSchema<any, any>
  | StandardSchemaPair<any, any>

const WHAT = 'parameters'
const NAMES = { schema: 'parameters', value: 'arguments' }

// A map of properties has a schema under `type`, if anything.
const isRawJsonSchema = (parameters: object): boolean =>
  typeof parameters === 'object' &&
  parameters !== null &&
  Object.hasOwn(parameters, 'type') &&
  typeof (parameters as { type: unknown }).type === 'string'

function compile(parameters: ParametersInput): CompiledSchema {
  const standard = compileStandard(parameters, 'input', NAMES)
  if (standard !== undefined) return standard
  if (isJsonSchemaOf(parameters))
    return { jsonSchema: readJsonSchema(parameters.jsonSchema, WHAT, 'parameters') }
  if (isRawJsonSchema(parameters)) return { jsonSchema: readJsonSchema(parameters, WHAT, 'parameters') }
  const copy = readSchema(parameters, WHAT, 'parameters')
  const { violations, root } = compileMapPlan(copy, 'parameters')
  refuseFaults(WHAT, violations)
  return { jsonSchema: printMap(isRecord(copy) ? copy : {}), parse: jsonParser(root, 'arguments') }
}

/**
 * Compiles the parameters of a tool.
 * @throws OutputSchemaError `UNSUPPORTED_SCHEMA`, listing everything that is wrong with them.
 */
export function compileParameters(parameters: ParametersInput): CompiledSchema {
  try {
    return compile(parameters)
  } catch (error) {
    if (ToolgateError.isInstance(error)) throw error
    const message = `parameters could not be read: ${describeError(error)}`
    throw new OutputSchemaError(`Unsupported ${WHAT}`, [{ path: 'parameters', message }], { cause: error })
  }
}

export type { CompiledSchema } from './compiled-schema.js'

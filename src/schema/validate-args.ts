import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type Checker, createChecker, violationsOf } from './check-value.js'
import { compileMapPlan } from './compile-plan.js'
import { printMap } from './print-spec.js'
import { readSchema, refuseFaults } from './read-schema.js'
import { rememberSchemas } from './remember-schemas.js'
import type { SchemaSpec } from './schema-spec.js'

const WHAT = 'parameters'

interface CheckedSpec {
  readonly copy: JsonValue
  readonly checker: Checker
}

const checked: (spec: unknown) => CheckedSpec = rememberSchemas(spec => {
  const copy = readSchema(spec, WHAT, 'parameters')
  const { violations, root } = compileMapPlan(copy, 'parameters')
  refuseFaults(WHAT, violations)
  return { copy, checker: createChecker(root) }
})

/**
 * What is wrong with arguments, path by path; empty if they match. Missing properties come first, then declared ones in the
 * order of the spec, then undeclared ones of closed objects. Total for any arguments, hostile ones included. A spec is
 * compiled once, and again when it has changed; one that is frozen throughout is not even looked at again.
 * @throws OutputSchemaError if the spec itself is wrong.
 */
export function validateArgs(spec: SchemaSpec, args: unknown): Violation[] {
  return violationsOf(checked(spec).checker, args, 'arguments')
}

/**
 * The JSON Schema that a map of properties stands for, frozen.
 * @throws OutputSchemaError if the spec is wrong.
 */
export function schemaSpecToJsonSchema(spec: SchemaSpec): JsonObject {
  return printMap(checked(spec).copy as JsonObject)
}

import type { Violation } from '../errors/violation.js'
import type { JsonObject } from '../json/json-value.js'
import { violationsOf } from './check-value.js'
import { compileMapPlan } from './compile-plan.js'
import { printMap } from './print-spec.js'
import { readSchema, refuseFaults } from './read-schema.js'
import type { RootPlan } from './schema-plan.js'
import type { SchemaSpec } from './schema-spec.js'

const WHAT = 'parameters'

function checked(spec: SchemaSpec): { readonly copy: JsonObject; readonly root: RootPlan } {
  const copy = readSchema(spec, WHAT, 'parameters')
  const { violations, root } = compileMapPlan(copy, 'parameters')
  refuseFaults(WHAT, violations)
  return { copy: copy as JsonObject, root }
}

/**
 * What is wrong with arguments, path by path; empty if they match. Missing properties come first, then declared ones in the
 * order of the spec, then undeclared ones of closed objects. Total for any arguments, hostile ones included.
 * @throws OutputSchemaError if the spec itself is wrong.
 */
export function validateArgs(spec: SchemaSpec, args: unknown): Violation[] {
  return violationsOf(checked(spec).root, args, 'arguments')
}

/**
 * The JSON Schema that a map of properties stands for, frozen.
 * @throws OutputSchemaError if the spec is wrong.
 */
export function schemaSpecToJsonSchema(spec: SchemaSpec): JsonObject {
  return printMap(checked(spec).copy)
}

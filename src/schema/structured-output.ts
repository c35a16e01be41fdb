import type { Violation } from '../errors/violation.js'
import type { JsonValue } from '../json/json-value.js'
import { type Checker, createChecker, violationsOf } from './check-value.js'
import { compilePlan } from './compile-plan.js'
import { readSchema, refuseFaults } from './read-schema.js'
import { rememberSchemas } from './remember-schemas.js'

const WHAT = 'output schema'

interface CheckedSchema {
  readonly copy: JsonValue
  readonly checker: Checker
}

const checked: (schema: unknown) => CheckedSchema = rememberSchemas(schema => {
  const copy = readSchema(schema, WHAT, 'schema')
  const { violations, root } = compilePlan(copy, 'schema', 'subset')
  refuseFaults(WHAT, violations)
  return { copy, checker: createChecker(root) }
})

/**
 * Holds a raw JSON Schema to the subset that is enforced in full: `type`, `properties`, `required`, `additionalProperties`,
 * `items`, `enum`, `const`, `oneOf` and annotations. Any root.
 * @throws OutputSchemaError listing every keyword that would not be enforced.
 */
export function assertSupportedOutputSchema(schema: unknown): void {
  checked(schema)
}

/**
 * `assertSupportedOutputSchema` for those who need an object at the root.
 * @throws OutputSchemaError also if the root is not of type object.
 */
export function assertObjectOutputSchema(schema: unknown): void {
  if (checked(schema).checker.root.plan.kind === 'object') return
  refuseFaults(WHAT, [{ path: 'schema', message: 'schema must have type "object" at its root' }])
}

/**
 * What is wrong with a value by a schema of that subset; empty if it matches. Total for any value.
 * @throws OutputSchemaError if the schema is outside the subset.
 */
export function validateStructuredValue(schema: unknown, value: unknown): Violation[] {
  return violationsOf(checked(schema).checker, value, 'value')
}

import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'

/** Checks values against one JSON Schema; no violations means that the value matches. */
export type ValidateValue = (value: JsonValue) => readonly Violation[] | Promise<readonly Violation[]>

/** Checks JSON values against JSON Schemas, for tools whose schema is not in Toolgate's own schema language. */
export interface Validator {
  /**
   * Prepares a schema, at the latest when the first value arrives.
   * @param schema - frozen; its `$schema` names the draft, 2020-12 if it is missing
   * @param root - what paths call the value: `arguments` or `value`
   */
  compile(schema: JsonObject, root: string): ValidateValue
}

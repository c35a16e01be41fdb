import type { JsonObject } from '../json/json-value.js'
import type { ParseValue } from './parsed.js'

/** A schema of any language, ready for use. */
export interface CompiledSchema {
  /** Frozen; what the model sees. */
  readonly jsonSchema: JsonObject
  /** Checks a value. Absent for raw JSON Schema, which the registry's validator checks. */
  readonly parse?: ParseValue
}

import { OutputSchemaError } from '../errors/errors.js'
import type { Violation } from '../errors/violation.js'
import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { withoutMarks } from './without-marks.js'

// A level of a schema is two of JSON, and a schema may be nested more deeply than a value.
const SCHEMA_LIMITS = { maxDepth: 100_000, maxNodes: 1_000_000, maxBytes: 64 * 1024 * 1024 }

/** Throws what is wrong with a schema, if anything is. */
export function refuseFaults(what: string, violations: readonly Violation[]): void {
  if (violations.length > 0) throw new OutputSchemaError(`Unsupported ${what}`, violations)
}

/** A frozen copy of a schema as it is now, whatever it is made of. */
export function readSchema(schema: unknown, what: string, root: string): JsonValue {
  const copy = trySnapshot(schema, SCHEMA_LIMITS, root)
  if (copy.ok) return copy.value
  throw new OutputSchemaError(`Unsupported ${what}`, [{ path: copy.path, message: copy.message }])
}

/** `readSchema` for raw JSON Schema, which must be an object. It may carry the marks of the library that made it. */
export function readJsonSchema(schema: unknown, what: string, root: string): JsonObject {
  const asItIs = trySnapshot(schema, SCHEMA_LIMITS, root)
  const copy = asItIs.ok ? asItIs.value : readSchema(withoutMarks(schema), what, root)
  if (isRecord(copy)) return copy
  throw new OutputSchemaError(`Unsupported ${what}`, [
    { path: root, message: `${root} must be a JSON Schema object` },
  ])
}

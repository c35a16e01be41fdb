import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema'
import type { JsonValue } from '../json/json-value.js'
import type { LinkedSchema } from './link-schema.js'

/** A schema that is interpreted, for runtimes that refuse code generation and for saying why a value is refused. */
export interface InterpretedSchema {
  isValid(value: JsonValue): boolean
  /** All that is wrong, or only what is met first. */
  errors(value: JsonValue, all: boolean): readonly OutputUnit[]
}

/** One entry of the interpreter's output. */
export type { OutputUnit } from '@cfworker/json-schema'

/** Makes a linked schema ready to be interpreted. Throws for schemas nested too deeply for the stack. */
export function interpretSchema({ draft, schema }: LinkedSchema): InterpretedSchema {
  const root = schema as Schema
  const lookup = dereference(root)
  return {
    isValid: value => validate(value, root, draft, lookup, true).valid,
    errors: (value, all) => validate(value, root, draft, lookup, !all).errors,
  }
}

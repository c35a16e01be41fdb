import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { countKeys } from './count-keys.js'
import { hasEqualItems } from './equal-items.js'
import type { LinkedSchema, MutableSchema } from './link-schema.js'
import { setOwn } from './set-own.js'
import { type Effort, Steps } from './steps.js'
import { usableName, withUsableNames } from './usable-names.js'

/** A schema that is interpreted, for runtimes that refuse code generation and for saying why a value is refused. */
export interface InterpretedSchema {
  /** What the output's locations are in: the linked schema, or a copy with other names. */
  readonly schema: MutableSchema
  isValid(value: JsonValue): boolean
  /** All that is wrong, or little more than what is met first, with so much effort. The output is about `value`, which may differ in its keys. */
  errors(
    value: JsonValue,
    all: boolean,
    effort?: Effort,
  ): { readonly units: readonly OutputUnit[]; readonly value: JsonValue }
}

/** One entry of the interpreter's output. */
export type { OutputUnit } from '@cfworker/json-schema'

// It compares each item with each, part by part. Past this many comparisons the host would wait too long.
const MAX_COMPARISONS = 3_000_000

/** Whether unique items must be looked for: not where every array is seen to have them. */
function mustCompareItems(value: JsonValue): boolean {
  const arrays: (readonly JsonValue[])[] = []
  const waiting: JsonValue[] = [value]
  let parts = 0
  let longest = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    parts++
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      arrays.push(next)
      longest = Math.max(longest, next.length)
    }
    for (const part of Object.values(next)) waiting.push(part)
  }
  if (parts * longest <= MAX_COMPARISONS) return true
  if (!arrays.some(hasEqualItems)) return false
  throw new Error('it has too many items to tell which of them are equal')
}

/** A copy whose keys can be part of a URI, as the interpreter needs them. */
function withUsableKeys(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withUsableKeys)
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) {
    const child = withUsableKeys((value as JsonObject)[key] as JsonValue)
    setOwn(copy, usableName(key), child)
  }
  return copy
}

/** Makes a linked schema ready to be interpreted. Throws for schemas nested too deeply for the stack. */
export function interpretSchema(linked: LinkedSchema): InterpretedSchema {
  try {
    return interpret(linked, value => value)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return interpret(withUsableNames(linked), withUsableKeys)
  }
}

function interpret(
  { draft, schema, uniqueOwners }: LinkedSchema,
  prepare: (value: JsonValue) => JsonValue,
): InterpretedSchema {
  const root = schema as Schema
  const lookup = dereference(root)
  const steps = new Steps()
  steps.countInInterpreter(schema, draft)
  const run = (value: JsonValue, all: boolean, effort?: Effort): ReturnType<InterpretedSchema['errors']> => ({
    units: steps.hold(
      value,
      () => {
        const read = effort === undefined ? value : countKeys(value, steps.takeKeys)
        return validate(read, root, draft, lookup, !all).errors
      },
      effort,
    ),
    value,
  })
  const errors: InterpretedSchema['errors'] = (given, all, effort) => {
    const value = prepare(given)
    if (uniqueOwners.length > 0) {
      const compare = mustCompareItems(value)
      for (const owner of uniqueOwners) owner.uniqueItems = compare
    }
    try {
      return run(value, all, effort)
    } catch (error) {
      if (error instanceof URIError) return run(withUsableKeys(value), all, effort)
      throw error
    }
  }
  return { schema, errors, isValid: value => errors(value, false).units.length === 0 }
}

import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type InterpretedSchema, interpretSchema } from './cfworker-validator.js'
import { MAX_COUNTED, MAX_VIOLATIONS } from './check-value.js'
import { explainErrors } from './explain-errors.js'
import { type LinkedSchema, linkSchema } from './link-schema.js'
import { TO_EXPLAIN, TooManySteps } from './steps.js'
import { cut } from './value-text.js'

/** Decides whether values match; says nothing about why not. */
export type Decide = (value: JsonValue) => boolean

/** Makes a `Decide` out of a schema; `interpret` is the interpreter's, which takes all schemas. */
export type CompileDecide = (linked: LinkedSchema, interpret: Decide) => Decide

/** Leaves it to the interpreter. */
export const interpretOnly: CompileDecide = (_linked, interpret) => interpret

// All that is wrong with a larger value could be more than is worth collecting.
const EXPLAINED_NODES = 20_000
const ERROR_CHARS = 300
const FIRST_ONLY = 'and perhaps more: of so large a value only the first problem is looked for'

function isLarge(value: JsonValue): boolean {
  const waiting: JsonValue[] = [value]
  let nodes = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const parts = Object.values(next)
    nodes += parts.length
    if (nodes > EXPLAINED_NODES) return true
    for (const part of parts) waiting.push(part)
  }
  return false
}

function problem(root: string, what: string, error: unknown): readonly Violation[] {
  const why = error instanceof RangeError ? 'it is nested too deeply' : cut(describeError(error), ERROR_CHARS)
  return [{ path: root, message: `${root} could not be checked: ${what}${why}` }]
}

function explain(interpreted: InterpretedSchema, root: string, value: JsonValue): readonly Violation[] {
  try {
    return explained(interpreted, root, value, isLarge(value))
  } catch (error) {
    // So many problems of one object that the interpreter cannot hand them over.
    if (error instanceof RangeError) return explained(interpreted, root, value, true)
    if (!(error instanceof TooManySteps)) throw error
    return [{ path: root, message: `${root} does not match its schema, in too many ways to tell them apart` }]
  }
}

function explained(
  interpreted: InterpretedSchema,
  root: string,
  value: JsonValue,
  large: boolean,
): readonly Violation[] {
  const found = interpreted.errors(value, !large, TO_EXPLAIN)
  const violations = explainErrors(
    interpreted.schema,
    found.value,
    root,
    found.units,
    MAX_VIOLATIONS,
    MAX_COUNTED,
  )
  if (violations.length === 0) return [{ path: root, message: `${root} does not match its schema` }]
  return large ? [...violations, { path: root, message: FIRST_ONLY }] : violations
}

/**
 * A total check by a JSON Schema: one validator decides, the interpreter explains, so that the words are the same whoever
 * decides. A schema that cannot be used is a violation of every value.
 */
export function explainingCheck(
  schema: JsonObject,
  root: string,
  compile: CompileDecide,
): (value: JsonValue) => readonly Violation[] {
  let linked: LinkedSchema
  let interpreted: InterpretedSchema
  let decide: Decide
  try {
    linked = linkSchema(schema)
    interpreted = interpretSchema(linked)
    decide = compile(linked, interpreted.isValid)
  } catch (error) {
    const violations = problem(root, 'its schema cannot be used: ', error)
    return () => violations
  }
  return value => {
    try {
      return decide(value) ? [] : explain(interpreted, root, value)
    } catch (error) {
      return problem(root, '', error)
    }
  }
}

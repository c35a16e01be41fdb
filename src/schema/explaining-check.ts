import { cutText } from '../errors/cut-text.js'
import { describeError } from '../errors/describe-error.js'
import type { Violation } from '../errors/violation.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type InterpretedSchema, interpretSchema } from './cfworker-validator.js'
import { MAX_COUNTED, MAX_VIOLATIONS } from './check-value.js'
import { explainErrors } from './explain-errors.js'
import { type LinkedSchema, linkSchema } from './link-schema.js'
import { type Effort, TooManySteps } from './steps.js'

/** Decides whether values match; says nothing about why not. */
export type Decide = (value: JsonValue) => boolean

/** Makes a `Decide` out of a schema; `interpret` is the interpreter's, which takes all schemas. */
export type CompileDecide = (linked: LinkedSchema, interpret: Decide) => Decide

/** Leaves it to the interpreter. */
export const interpretOnly: CompileDecide = (_linked, interpret) => interpret

// All that is wrong with a larger value could be more than is worth collecting. What is deep counts for as many levels as
// what is wrong with it is handed up.
const EXPLAINED_WEIGHT = 100_000
const ERROR_CHARS = 300
const FIRST_OF_LARGE = 'and perhaps more: of so large a value only the first problem is looked for'
const FIRST_OF_MANY =
  'and perhaps more: with so many ways to match, only the first problem of each is looked for'

/** What a value costs to explain. */
interface Size {
  readonly parts: number
  readonly isLarge: boolean
}

function sizeOf(value: JsonValue): Size {
  let level: JsonValue[] = [value]
  let parts = 0
  let weight = 0
  for (let depth = 1; level.length > 0; depth++) {
    const below: JsonValue[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      for (const part of Object.values(node)) below.push(part)
    }
    parts += level.length
    weight += below.length * (depth + 1)
    level = below
  }
  return { parts, isLarge: weight > EXPLAINED_WEIGHT }
}

// Where many branches lead back to one schema, what they all find grows with the power of the depth: it is held to what a
// small multiple of the value's size leaves. Where only the first problem is looked for, branches end at their tags.
const effortForAll = ({ parts }: Size): Effort => ({ visits: 1_500 + 4 * parts, keys: keysFor(parts) })
const effortForFirst = ({ parts }: Size): Effort => ({ visits: 10_000 + 20 * parts, keys: keysFor(parts) })
const keysFor = (parts: number): number => 150_000 + 8 * parts

function problem(root: string, what: string, error: unknown): readonly Violation[] {
  const why =
    error instanceof RangeError ? 'it is nested too deeply' : cutText(describeError(error), ERROR_CHARS)
  return [{ path: root, message: `${root} could not be checked: ${what}${why}` }]
}

function unexplained(root: string, error: unknown): readonly Violation[] {
  if (!(error instanceof TooManySteps)) throw error
  return [{ path: root, message: `${root} does not match its schema, in too many ways to tell them apart` }]
}

function explain(interpreted: InterpretedSchema, root: string, value: JsonValue): readonly Violation[] {
  const size = sizeOf(value)
  if (!size.isLarge)
    try {
      return explained(interpreted, root, value, true, effortForAll(size))
    } catch (error) {
      // So many problems of one object that the interpreter cannot hand them over are a range error.
      const isWorthAnother = error instanceof TooManySteps ? !error.isForKeys : error instanceof RangeError
      if (!isWorthAnother) return unexplained(root, error)
    }
  try {
    const found = explained(interpreted, root, value, false, effortForFirst(size))
    return [...found, { path: root, message: size.isLarge ? FIRST_OF_LARGE : FIRST_OF_MANY }]
  } catch (error) {
    return unexplained(root, error)
  }
}

function explained(
  interpreted: InterpretedSchema,
  root: string,
  value: JsonValue,
  all: boolean,
  effort: Effort,
): readonly Violation[] {
  const found = interpreted.errors(value, all, effort)
  const { schema } = interpreted
  const violations = explainErrors(schema, found.value, root, found.units, MAX_VIOLATIONS, MAX_COUNTED)
  return violations.length > 0 ? violations : [{ path: root, message: `${root} does not match its schema` }]
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

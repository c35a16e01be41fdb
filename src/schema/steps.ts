import { isRecord } from '../json/is-record.js'
import type { JsonValue } from '../json/json-value.js'
import { type SchemaDraft, shapeOf, subschemasOf } from './json-schema-keywords.js'
import type { MutableSchema } from './link-schema.js'

/** The keyword by which Ajv counts steps. */
export const STEP_KEYWORD = '$step'
// What the interpreter reads of every schema, and neither draft has.
const READ_BY_INTERPRETER = '$recursiveRef'

// How many steps may be taken, whatever the size of a value, and for each of its parts. A union of so many referenced
// schemas is none too large.
const LEAST_STEPS = 20_000
const STEPS_PER_PART = 200

// A stack that ends after so many steps has not ended for depth alone: it holds what branches found.
const MANY_STEPS = 3_000

function partsOf(value: JsonValue): number {
  const waiting: JsonValue[] = [value]
  let parts = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    parts++
    if (typeof next !== 'object' || next === null) continue
    for (const part of Object.values(next)) waiting.push(part)
  }
  return parts
}

const targetsOf = (schema: MutableSchema): object[] =>
  Object.hasOwn(schema, '$defs') ? [schema, ...Object.values(schema.$defs as object)] : []

function schemasIn(schema: MutableSchema, draft: SchemaDraft): MutableSchema[] {
  const found = [schema]
  for (const node of found)
    for (const [keyword, value] of Object.entries(node)) {
      const shape = shapeOf(keyword, draft)
      if (shape === undefined) continue
      for (const { node: part } of subschemasOf(keyword, shape, value as JsonValue))
        if (isRecord(part)) found.push(part as MutableSchema)
    }
  return found
}

/** What may be spent on one value. */
export interface Effort {
  /** How often schemas may be come to. */
  visits: number
  /** How many properties of wide objects may be gone through. */
  keys: number
}

const UNLIMITED: Effort = { visits: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY }

/** A check that would take much longer than its value is large. */
export class TooManySteps extends Error {
  /** True where objects are so wide that looking for less would be no shorter. */
  readonly isForKeys: boolean

  constructor(isForKeys = false) {
    super('there are too many ways in which it could match to try them all')
    this.isForKeys = isForKeys
  }
}

/**
 * Counts how often referenced schemas are come to in one check. Where several branches lead back to one schema, a value of
 * thirty levels has a billion ways through it; without references, there are no more than the schema is large.
 */
export class Steps {
  #value: JsonValue = null
  #taken = 0
  #most = Number.POSITIVE_INFINITY
  #effort = UNLIMITED

  /** Holds what is done with a value to a number of steps, and to an effort. */
  hold<T>(value: JsonValue, act: () => T, effort: Effort = UNLIMITED): T {
    this.#value = value
    this.#taken = 0
    this.#most = LEAST_STEPS
    this.#effort = { ...effort }
    try {
      return act()
    } catch (error) {
      throw error instanceof RangeError && this.#taken > MANY_STEPS ? new TooManySteps() : error
    } finally {
      this.#most = Number.POSITIVE_INFINITY
      this.#value = null
    }
  }

  readonly take = (): void => {
    if (++this.#taken <= this.#most) return
    const most = partsOf(this.#value) * STEPS_PER_PART
    if (this.#taken > most) throw new TooManySteps()
    this.#most = most
  }

  readonly #visit = (): void => {
    if (--this.#effort.visits < 0) throw new TooManySteps()
  }

  /** Properties that are gone through. */
  readonly takeKeys = (count: number): void => {
    this.#effort.keys -= count
    if (this.#effort.keys < 0) throw new TooManySteps(true)
  }

  readonly #takeAndVisit = (): void => {
    this.#visit()
    this.take()
  }

  /** Has Ajv count at every schema that can be referred to. False where there is none. */
  countInAjv(schema: MutableSchema): boolean {
    const { take } = this
    if (!Object.hasOwn(schema, '$defs')) return false
    for (const target of targetsOf(schema))
      Object.defineProperty(target, STEP_KEYWORD, { value: take, configurable: true })
    return true
  }

  /** Has the interpreter count at these, and at every other schema how often it comes there. */
  countInInterpreter(schema: MutableSchema, draft: SchemaDraft): void {
    const targets = new Set(targetsOf(schema))
    for (const node of schemasIn(schema, draft))
      Object.defineProperty(node, READ_BY_INTERPRETER, {
        get: targets.has(node) ? this.#takeAndVisit : this.#visit,
        configurable: true,
      })
  }
}

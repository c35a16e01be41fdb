import type { JsonValue } from '../json/json-value.js'
import type { MutableSchema } from './link-schema.js'

/** The keyword by which Ajv counts steps. */
export const STEP_KEYWORD = '$step'
// What the interpreter reads of every schema, and neither draft has.
const READ_BY_INTERPRETER = '$recursiveRef'

/** How many steps may be taken, whatever the size of a value, and for each of its parts. */
export interface StepLimits {
  readonly least: number
  readonly perPart: number
}

// A union of so many referenced schemas is none too large.
const TO_DECIDE: StepLimits = { least: 20_000, perPart: 200 }

/** To say what is wrong: each step leaves several entries behind. */
export const TO_EXPLAIN: StepLimits = { least: 3_000, perPart: 50 }

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

/** A check that would take much longer than its value is large. */
export class TooManySteps extends Error {
  constructor() {
    super('there are too many ways in which it could match to try them all')
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
  #perPart = 0

  /** Holds what is done with a value to a number of steps. */
  hold<T>(value: JsonValue, act: () => T, { least, perPart }: StepLimits = TO_DECIDE): T {
    this.#value = value
    this.#taken = 0
    this.#most = least
    this.#perPart = perPart
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
    const most = partsOf(this.#value) * this.#perPart
    if (this.#taken > most) throw new TooManySteps()
    this.#most = most
  }

  /** Has every schema that can be referred to count. False where there is none. */
  countIn(schema: MutableSchema, reader: 'ajv' | 'interpreter'): boolean {
    const { take } = this
    if (!Object.hasOwn(schema, '$defs')) return false
    for (const target of [schema, ...Object.values(schema.$defs as object)])
      if (reader === 'ajv') Object.defineProperty(target, STEP_KEYWORD, { value: take, configurable: true })
      else Object.defineProperty(target, READ_BY_INTERPRETER, { get: take, configurable: true })
    return true
  }
}

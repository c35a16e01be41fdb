import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { FieldPlan, ObjectPlan, OneOfPlan, ScalarPlan, SchemaPlan } from './schema-plan.js'

/**
 * Whether lossless JSON matches a plan. Throws about a value that is too unusual to tell, for a branch that is not sure may
 * not count as one that does not match.
 */
export type QuickCheck = (value: unknown) => boolean

/** What a quick check does that cannot tell. */
export function leaveToExplanation(): never {
  throw UNUSUAL
}

const UNUSUAL = new Error('an unusual value')

/** What claims to be longer is no array, or past the limits of JSON here. */
export const MAX_ITEMS: number = DEFAULT_JSON_LIMITS.maxNodes

const always: QuickCheck = () => true

const isJsonNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)

const SCALARS: { readonly [kind in ScalarPlan['kind']]: QuickCheck } = {
  string: value => typeof value === 'string',
  number: isJsonNumber,
  integer: value => Number.isInteger(value) && !Object.is(value, -0),
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

function scalarCheck({ kind, allowed }: ScalarPlan): QuickCheck {
  const check = SCALARS[kind]
  if (allowed === undefined) return check
  if (allowed.length === 1) {
    const [only] = allowed
    return value => Object.is(value, only)
  }
  const values = new Set<unknown>(allowed)
  // A set holds -0 and 0 to be one.
  return value => values.has(value) && check(value)
}

const { getPrototypeOf, hasOwn, keys, prototype } = Object

// The commonest checks cost no call.
const CALL = 0
const STRING = 1
const BOOLEAN = 2
const NUMBER = 3

function shortcutOf(plan: SchemaPlan): number {
  if (plan.kind !== 'string' && plan.kind !== 'boolean' && plan.kind !== 'number') return CALL
  if (plan.allowed !== undefined) return CALL
  return plan.kind === 'string' ? STRING : plan.kind === 'boolean' ? BOOLEAN : NUMBER
}

function matches(shortcut: number, check: QuickCheck, held: unknown): boolean {
  if (shortcut === STRING) return typeof held === 'string'
  if (shortcut === BOOLEAN) return typeof held === 'boolean'
  return shortcut === NUMBER ? isJsonNumber(held) : check(held)
}

interface Field {
  readonly name: string
  readonly required: boolean
  readonly shortcut: number
  readonly check: QuickCheck
}

const fieldOf = ({ name, required, plan }: FieldPlan): Field => ({
  name,
  required,
  shortcut: shortcutOf(plan),
  check: quickCheck(plan),
})

function objectCheck({ fields: plans, closed }: ObjectPlan): QuickCheck {
  const fields = plans.map(fieldOf)
  const count = fields.length

  function inAnyOrder(value: { readonly [name: string]: unknown }): boolean {
    let present = 0
    for (const { name, required, shortcut, check } of fields) {
      const held = hasOwn(value, name) ? value[name] : undefined
      if (held === undefined) {
        if (required) return false
        continue
      }
      present++
      if (!matches(shortcut, check, held)) return false
    }
    return !closed || keys(value).length === present
  }

  return given => {
    if (typeof given !== 'object' || given === null) return false
    if (getPrototypeOf(given) !== prototype) return !Array.isArray(given) && leaveToExplanation()
    const value = given as { readonly [name: string]: unknown }
    // Models write properties in the order in which the schema has them. To follow them is cheaper than to look for each;
    // where the order is another, or something is inherited or undefined, each is looked for.
    let at = 0
    for (const _inherited in prototype) return inAnyOrder(value)
    for (const key in value) {
      while (at < count && (fields[at] as Field).name !== key)
        if ((fields[at++] as Field).required) return inAnyOrder(value)
      if (at === count) return inAnyOrder(value)
      const { shortcut, check } = fields[at++] as Field
      const held = value[key]
      if (!matches(shortcut, check, held)) return held === undefined && inAnyOrder(value)
      if (held === undefined) return inAnyOrder(value)
    }
    while (at < count) if ((fields[at++] as Field).required) return false
    return true
  }
}

function oneOfCheck({ branches }: OneOfPlan): QuickCheck {
  const checks = branches.map(quickCheck)
  return value => {
    let matched = false
    for (let i = 0; i < checks.length; i++) {
      if (!(checks[i] as QuickCheck)(value)) continue
      if (matched) return false
      matched = true
    }
    return matched
  }
}

function arrayCheck(items: SchemaPlan): QuickCheck {
  const shortcut = shortcutOf(items)
  const check = quickCheck(items)
  return value => {
    if (!Array.isArray(value) || value.length > MAX_ITEMS) return false
    for (let i = 0; i < value.length; i++) if (!matches(shortcut, check, value[i])) return false
    return true
  }
}

/** Turns a plan into closures that say yes or no. Recurses as deep as the plan: not for plans of unbounded depth. */
export function quickCheck(plan: SchemaPlan): QuickCheck {
  switch (plan.kind) {
    case 'any':
      return always
    case 'array':
      return plan.items === undefined ? Array.isArray : arrayCheck(plan.items)
    case 'object':
      return objectCheck(plan)
    case 'oneOf':
      return oneOfCheck(plan)
    default:
      return scalarCheck(plan)
  }
}

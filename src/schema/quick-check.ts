import type { ObjectPlan, OneOfPlan, ScalarPlan, SchemaPlan } from './schema-plan.js'

/** Whether lossless JSON matches a plan. May throw what a hostile value throws. */
export type QuickCheck = (value: unknown) => boolean

const always: QuickCheck = () => true

const SCALARS: { readonly [kind in ScalarPlan['kind']]: QuickCheck } = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0),
  integer: value => Number.isInteger(value) && !Object.is(value, -0),
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function scalarCheck({ kind, allowed }: ScalarPlan): QuickCheck {
  const check = SCALARS[kind]
  if (allowed === undefined) return check
  if (allowed.length === 1) {
    const [only] = allowed
    return value => value === only
  }
  const values = new Set<unknown>(allowed)
  // A set holds -0 and 0 to be one.
  return value => values.has(value) && check(value)
}

function objectCheck({ fields, closed }: ObjectPlan): QuickCheck {
  const names = fields.map(field => field.name)
  const checks = fields.map(field => quickCheck(field.plan))
  const required = fields.map(field => field.required)
  const count = names.length
  const { hasOwn, keys } = Object
  return value => {
    if (!isObject(value)) return false
    let present = 0
    for (let i = 0; i < count; i++) {
      const name = names[i] as string
      if (!hasOwn(value, name)) {
        if (required[i]) return false
        continue
      }
      present++
      if (!(checks[i] as QuickCheck)(value[name])) return false
    }
    return !closed || keys(value).length === present
  }
}

function oneOfCheck({ branches }: OneOfPlan): QuickCheck {
  const checks = branches.map(quickCheck)
  return value => {
    let matched = false
    for (const check of checks) {
      if (!check(value)) continue
      if (matched) return false
      matched = true
    }
    return matched
  }
}

function arrayCheck(items: QuickCheck): QuickCheck {
  return value => {
    if (!Array.isArray(value)) return false
    for (let i = 0; i < value.length; i++) if (!items(value[i])) return false
    return true
  }
}

/** Turns a plan into closures that say yes or no. Recurses as deep as the plan: not for plans of unbounded depth. */
export function quickCheck(plan: SchemaPlan): QuickCheck {
  switch (plan.kind) {
    case 'any':
      return always
    case 'array':
      return plan.items === undefined ? Array.isArray : arrayCheck(quickCheck(plan.items))
    case 'object':
      return objectCheck(plan)
    case 'oneOf':
      return oneOfCheck(plan)
    default:
      return scalarCheck(plan)
  }
}

import type { FieldPlan, ObjectPlan, OneOfPlan, ScalarPlan, SchemaPlan } from './schema-plan.js'

/** True only if lossless JSON matches a plan; false may also mean an unusual value. May throw what a value throws. */
export type QuickCheck = (value: unknown) => boolean

const always: QuickCheck = () => true

const SCALARS: { readonly [kind in ScalarPlan['kind']]: QuickCheck } = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0),
  integer: value => Number.isInteger(value) && !Object.is(value, -0),
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

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

interface Field {
  readonly name: string
  readonly required: boolean
  /** The commonest checks, by the answer of `typeof`, cost no call. */
  readonly type: string
  readonly check: QuickCheck
}

function fieldOf({ name, required, plan }: FieldPlan): Field {
  const isBare = (plan.kind === 'string' || plan.kind === 'boolean') && plan.allowed === undefined
  return { name, required, type: isBare ? plan.kind : '', check: quickCheck(plan) }
}

const { getPrototypeOf, hasOwn, keys, prototype } = Object
const inherited = prototype as unknown as { readonly [name: string]: unknown }

function objectCheck({ fields: plans, closed }: ObjectPlan): QuickCheck {
  const fields = plans.map(fieldOf)
  return value => {
    // Where nothing but the usual prototype is inherited from, a look at it is cheaper than asking for each property.
    if (typeof value !== 'object' || value === null || getPrototypeOf(value) !== prototype) return false
    let present = 0
    for (let i = 0; i < fields.length; i++) {
      const { name, required, type, check } = fields[i] as Field
      const held = (value as { readonly [name: string]: unknown })[name]
      if (held === undefined || (inherited[name] !== undefined && !hasOwn(value, name))) {
        if (required) return false
        continue
      }
      present++
      if (type === '' ? !check(held) : typeof held !== type) return false
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

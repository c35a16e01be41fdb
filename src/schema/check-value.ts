import type { Violation } from '../errors/violation.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { isSurelyLossless } from '../json/surely-lossless.js'
import { explainValue } from './explain-value.js'
import type { Parsed } from './parsed.js'
import type { RootPlan } from './schema-plan.js'
import { valueCheck } from './value-check.js'
import { bareArguments } from './value-path.js'

/** How many violations a message may hold. */
export const MAX_VIOLATIONS = 10

/** How many more are counted. */
export const MAX_COUNTED = 1_000

/** How many violations a caller who asks for the list gets. */
const MAX_LISTED = 1_000

function explain(root: RootPlan, value: unknown, name: string, limit: number): readonly Violation[] {
  const found = explainValue(root.plan, value, name, limit, MAX_COUNTED)
  if (found.length > 0) return found
  const copy = trySnapshot(value, DEFAULT_JSON_LIMITS, name)
  return copy.ok ? [] : [{ path: bareArguments(copy.path), message: bareArguments(copy.message) }]
}

/** A checked schema and what says quickly that a value matches it. */
export interface Checker {
  readonly root: RootPlan
  readonly isMatch: (value: unknown) => boolean
}

export function createChecker(root: RootPlan): Checker {
  return { root, isMatch: valueCheck(root) }
}

/** All that is wrong with any value: what the schema says first; where it has nothing to say, whether JSON can carry it. */
export function violationsOf({ root, isMatch }: Checker, value: unknown, name: string): Violation[] {
  if (isSurelyLossless(value) && isMatch(value)) return []
  return [...explain(root, value, name, MAX_LISTED)]
}

/**
 * Checks values that are lossless JSON already, as the pipeline's are: a yes costs no second walk over what the schema leaves
 * open. Total for any other value too.
 */
export function jsonParser(root: RootPlan, name: string): (value: unknown) => Parsed {
  const isMatch = valueCheck(root)
  return value => {
    if (isMatch(value)) return { ok: true, value }
    const violations = explain(root, value, name, MAX_VIOLATIONS)
    return violations.length === 0 ? { ok: true, value } : { ok: false, violations }
  }
}

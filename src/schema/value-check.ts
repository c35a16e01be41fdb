import { type QuickCheck, quickCheck } from './quick-check.js'
import type { RootPlan } from './schema-plan.js'

const MAX_RECURSION = 200
// Making code costs as much as some hundred checks save.
const USES_BEFORE_CODE = 500

/**
 * Says of values whether they surely match a plan, lossless JSON or not; no may also mean that the explanation has to be
 * asked. Total. A plan that is used often gets code of its own, where the runtime allows that.
 */
export function valueCheck({ plan, depth }: RootPlan): (value: unknown) => boolean {
  // A plan too deep to recurse over is walked by the explanation alone.
  if (depth > MAX_RECURSION) return () => false
  let uses = 0
  let check: QuickCheck = value => {
    const closures = quickCheck(plan)
    check = counted => {
      if (++uses === USES_BEFORE_CODE) void generate()
      return closures(counted)
    }
    return check(value)
  }

  async function generate(): Promise<void> {
    try {
      const { generateCheck } = await import('./generate-check.js')
      check = generateCheck(plan) ?? check
    } catch {
      // The closures do, where there is no file or no leave to make code.
    }
  }

  return value => {
    try {
      return check(value)
    } catch {
      return false
    }
  }
}

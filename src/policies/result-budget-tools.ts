import { refuseOption } from './checked-options.js'
import { namePattern } from './name-filter.js'

/** UTF-8 bytes that the model may read of a result of a tool. */
export type BudgetOf = (name: string) => number

const LEAST_BYTES = 1_024

function checkedBytes(option: string, given: unknown): number {
  if (given === Number.POSITIVE_INFINITY) return given
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= LEAST_BYTES) return given
  return refuseOption(`${option} must be a whole number of at least ${LEAST_BYTES}, or Infinity for no bound`)
}

/** The budgets of tools: by name, then by the first pattern that fits, then the one for all. */
export function budgetOf(maxBytes: unknown, tools: unknown): BudgetOf {
  const forAll = checkedBytes('resultBudget: maxBytes', maxBytes)
  if (tools === undefined) return () => forAll
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools))
    return refuseOption('resultBudget: tools must be an object of names and budgets')
  const exact = new Map<string, number>()
  const patterns: { readonly fits: (name: string) => boolean; readonly bytes: number }[] = []
  for (const [name, given] of Object.entries(tools)) {
    const bytes = checkedBytes(`resultBudget: tools[${JSON.stringify(name)}]`, given)
    if (name.includes('*')) patterns.push({ fits: namePattern(name), bytes })
    else exact.set(name, bytes)
  }
  return name => exact.get(name) ?? patterns.find(({ fits }) => fits(name))?.bytes ?? forAll
}

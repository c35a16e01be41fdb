import { cutText } from '../errors/cut-text.js'
import type { Fault, Findings } from './findings.js'
import { received } from './value-text.js'

/** How many faults of a branch are kept to say why it failed. */
export const BRANCH_FINDINGS = 3

const REASON_CHARS = 240

function reason(tried: readonly Findings[]): string {
  const closest = tried.reduce((best, one) => (one.distance < best.distance ? one : best))
  const faults = closest.violations.map(({ message }) => message).join(', ')
  return `closest is branch ${tried.indexOf(closest) + 1}: ${cutText(faults, REASON_CHARS)}`
}

/** `a string or null`, where every branch asks only for something else in this place. */
function alternatives(tried: readonly Findings[]): string | undefined {
  const expected = new Set<string>()
  for (const findings of tried) {
    if (findings.expected === undefined) return undefined
    expected.add(findings.expected)
  }
  return cutText([...expected].join(' or '), REASON_CHARS)
}

/** Why a value matches none of several branches, or more than the one it may match. */
export function unionFault(
  keyword: 'oneOf' | 'anyOf',
  tried: readonly Findings[],
  value: unknown,
): Pick<Fault, 'kind' | 'expected'> & { readonly problem: string } {
  const matched = tried.flatMap((findings, i) => (findings.count === 0 ? [i + 1] : []))
  const rule = keyword === 'oneOf' ? 'must match exactly one branch' : 'must match a branch'
  const count = `${rule}, but ${matched.length} of ${tried.length} match`
  if (matched.length > 0)
    return { kind: 'other', problem: `${count} (${cutText(matched.join(' and '), 40)})` }
  const kind = tried.every(one => one.isOfAnotherType) ? 'type' : 'other'
  const expected = alternatives(tried)
  if (expected === undefined) return { kind, problem: `${count}; ${reason(tried)}` }
  const mustBe = `must be ${expected}, got ${received(value)}`
  return { kind, expected, problem: keyword === 'anyOf' ? mustBe : `${count}: ${mustBe}` }
}

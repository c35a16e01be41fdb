import type { Approver } from '../../approvals/approval.js'
import { type ConformanceCase, conformanceCase, requireFunction } from '../conformance-case.js'
import { ANSWER_CASES } from './answer-cases.js'
import type { ApproverWrapper } from './approver-world.js'
import { MEMORY_CASES } from './memory-cases.js'

const checked =
  (wrap: ApproverWrapper): ApproverWrapper =>
  inner => {
    const approver: Approver | undefined = wrap(inner)
    requireFunction(approver, 'what is put around an approver must be one, a function')
    return approver
  }

/**
 * What may stand in front of an approver (a memory, a queue, a log, a rule) without changing what approval means, as cases for
 * any test framework. `wrap` is asked for a new one in each case.
 * @throws TypeError without a function that wraps
 */
export function approverConformance(wrap: ApproverWrapper): readonly ConformanceCase[] {
  requireFunction(wrap, 'approverConformance takes a function that puts something around an approver')
  return [...ANSWER_CASES, ...MEMORY_CASES].map(([name, check]) =>
    conformanceCase(name, () => check(checked(wrap))),
  )
}

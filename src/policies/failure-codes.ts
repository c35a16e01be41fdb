import { refuseOption } from './checked-options.js'

/** The failures of a tool that may pass. */
const PASSING: readonly string[] = ['TOOL_FAILED', 'TOOL_TIMEOUT']

/** What was decided about a call, or is wrong with it: the tool is not to blame, and another attempt must not be made. */
const FINAL: readonly string[] = [
  'ABORTED',
  'ABORTED_BEFORE_DISPATCH',
  'APPROVAL_CANCELLED',
  'APPROVAL_REJECTED',
  'APPROVAL_UNAVAILABLE',
  'ARGUMENTS_NOT_JSON',
  'BLOCKED',
  'DENIED',
  'DISPOSED',
  'DUPLICATE_CALL_ID',
  'GUARD_DENIED',
  'INVALID_ARGS',
  'INVALID_CALL',
  'INVALID_DECISION',
  'INVALID_PARENT',
  'STAGE_FAILED',
  'UNKNOWN_SCOPE',
  'UNKNOWN_TOOL',
]

/** The codes that a policy counts as a tool's failures: `TOOL_FAILED`, `TOOL_TIMEOUT` and those given. */
export function failureCodes(policy: string, given: unknown): ReadonlySet<string> {
  if (given === undefined) return new Set(PASSING)
  const codes: readonly unknown[] | undefined = Array.isArray(given) ? Array.from(given) : undefined
  if (codes === undefined || !codes.every(code => typeof code === 'string' && code !== ''))
    return refuseOption(`${policy}: codes must be an array of error codes`)
  const listed = codes as readonly string[]
  const final = listed.find(code => FINAL.includes(code))
  if (final !== undefined)
    return refuseOption(`${policy}: codes cannot have ${final}, which is no failure of the tool`)
  return new Set([...PASSING, ...listed])
}

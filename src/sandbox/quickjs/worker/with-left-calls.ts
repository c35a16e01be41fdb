import { joinListed, listedNames } from '../../../errors/listed-names.js'
import type { CodeRunOutcome } from '../../code-runtime.js'

/** What a worker tells of a run, and the host knows beside it: calls that it had not begun, and those whose answers were on their way. */
export function withLeftCalls(
  { notRun = [], notTaken = [], ...outcome }: CodeRunOutcome,
  notBegun: readonly string[],
  answered: readonly string[],
): CodeRunOutcome {
  // The worker had sent out what the host had not begun, before what it had not sent out.
  const allNotRun = joinListed(listedNames(notBegun), notRun)
  const allNotTaken = joinListed(notTaken, listedNames(answered))
  return {
    ...outcome,
    ...(allNotRun.length > 0 && { notRun: allNotRun }),
    ...(allNotTaken.length > 0 && { notTaken: allNotTaken }),
  }
}

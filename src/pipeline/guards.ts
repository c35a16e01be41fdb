import { dropRejection } from '../events/event-hub.js'
import { failed } from '../tools/results.js'
import type { CallState, Draft } from './call-state.js'
import { invalidDecision, NOT_RUN, stageFailure } from './failures.js'
import type { Named } from './policy.js'
import type { Guard } from './stages.js'

function ask(state: CallState, guard: Named<Guard>): Draft | undefined {
  const { call } = state
  let answer: unknown
  try {
    answer = guard.run(call)
  } catch (error) {
    return stageFailure(state, guard.name, 'guard', error, NOT_RUN)
  }
  if (answer === undefined) return undefined
  if (typeof answer === 'string' && answer !== '')
    return failed(call, 'GUARD_DENIED', answer, { guard: guard.name })
  // A promise is the likeliest mistake; its rejection must not become the process's.
  dropRejection(answer)
  const fault = 'answered neither a reason nor undefined (guards are synchronous)'
  return invalidDecision(state, guard.name, 'guard', fault, NOT_RUN)
}

/**
 * Asks every guard, the registry's first; the first refusal stands. Guards are read as they are now, not as they were when
 * the call came in: one that a guard adds is still asked.
 */
export function runGuards(state: CallState): Draft | undefined {
  const { guards } = state.scope.policy()
  for (const guard of guards) {
    const refusal = ask(state, guard)
    if (refusal !== undefined) return refusal
  }
  return state.scope.policy().guards === guards ? undefined : runAdded(state, new Set(guards))
}

function runAdded(state: CallState, asked: Set<Named<Guard>>): Draft | undefined {
  for (;;) {
    const added = state.scope.policy().guards.find(guard => !asked.has(guard))
    if (added === undefined) return undefined
    asked.add(added)
    const refusal = ask(state, added)
    if (refusal !== undefined) return refusal
  }
}

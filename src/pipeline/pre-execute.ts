import { ToolgateError } from '../errors/toolgate-error.js'
import type { CallState, Draft } from './call-state.js'
import { ALLOW, parsePreDecision } from './decisions.js'
import { abortedBeforeDispatch, invalidDecision, NOT_RUN, stageFailure } from './failures.js'
import { StageNext } from './stage-next.js'
import type { PreToolDecision } from './stages.js'
import { withinGrace } from './within-grace.js'

/**
 * Asks the pre-execute stages, outermost first. A broken one fails the call closed, whatever those around it answer; one
 * that still has not answered when the grace after an abort is over is not waited for.
 */
export function preExecute(state: CallState): Promise<PreToolDecision | Draft> {
  return withinGrace(state, askStages(state), () => abortedBeforeDispatch(state, true))
}

async function askStages(state: CallState): Promise<PreToolDecision | Draft> {
  const { call, policy } = state
  let failure: Draft | undefined
  const ask = async (index: number): Promise<PreToolDecision> => {
    const stage = policy.preExecute[index]
    if (stage === undefined) return ALLOW
    const next = new StageNext(() => ask(index + 1))
    let answer: unknown
    try {
      answer = await stage.run(call, next.call)
      // A stage that did not wait for those further in cannot make their faults go away.
      await next.drain()
    } catch (error) {
      failure ??= stageFailure(state, stage.name, 'preExecute', error, NOT_RUN)
      throw error
    } finally {
      next.end()
    }
    if (answer === ALLOW) return ALLOW
    const parsed = parsePreDecision(answer)
    if ('decision' in parsed) return parsed.decision
    failure ??= invalidDecision(state, stage.name, 'preExecute', parsed.fault, NOT_RUN)
    throw new ToolgateError('INVALID_DECISION', failure.result.isError ? failure.result.error.message : '')
  }
  try {
    const decision = await ask(0)
    return failure ?? decision
  } catch (error) {
    return failure ?? stageFailure(state, 'pipeline', 'preExecute', error, NOT_RUN)
  }
}

import { askStages } from './ask-stages.js'
import { type CallState, Final } from './call-state.js'
import { ALLOW, parsePreDecision } from './decisions.js'
import { abortedCall, NOT_RUN } from './failures.js'
import type { PreToolDecision, Stages } from './stages.js'
import { withinGrace } from './within-grace.js'

type PreStage = NonNullable<Stages['preExecute']>

/**
 * Asks the pre-execute stages, outermost first. A broken one fails the call closed, whatever those around it answer; one
 * that still has not answered when the grace after an abort is over is not waited for.
 */
export function preExecute(state: CallState): Promise<PreToolDecision | Final> {
  const asked = askStages<PreStage, PreToolDecision>(state, {
    name: 'preExecute',
    stages: state.policy.preExecute,
    end: ALLOW,
    ask: (stage, next) => stage(state.call, next),
    parse: parsePreDecision,
    effect: NOT_RUN,
  })
  return withinGrace(state, asked, () => new Final(abortedCall(state)))
}

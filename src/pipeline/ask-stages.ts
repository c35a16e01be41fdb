import { ToolgateError } from '../errors/toolgate-error.js'
import { contentText } from '../tools/content-block.js'
import type { CallState, Final } from './call-state.js'
import type { ParsedDecision } from './decisions.js'
import { invalidDecision, stageFailure } from './failures.js'
import type { Named } from './policy.js'
import { StageNext } from './stage-next.js'

/** A hook whose stages answer with a decision. */
export interface DecisionHook<F, D> {
  readonly name: 'preExecute' | 'postExecute'
  /** Outermost first. */
  readonly stages: readonly Named<F>[]
  /** What `next()` ends in. */
  readonly end: D
  ask(stage: F, next: () => Promise<D>): unknown
  parse(answer: unknown): ParsedDecision<D>
  /** What a broken stage means for the call. */
  readonly effect: string
}

/** The outermost stage's decision, or the failure of the first that broke, whatever those around it answered. */
export async function askStages<F, D extends object>(
  state: CallState,
  hook: DecisionHook<F, D>,
): Promise<D | Final> {
  const { name, stages, end, effect } = hook
  let failure: Final | undefined
  const ask = async (index: number): Promise<D> => {
    const stage = stages[index]
    if (stage === undefined) return end
    const next = new StageNext(() => ask(index + 1))
    let answer: unknown
    try {
      answer = await hook.ask(stage.run, next.call)
      // A stage that did not wait for those further in cannot make their faults go away.
      if (next.isOpen) await next.drained()
    } catch (error) {
      failure ??= stageFailure(state, stage.name, name, error, effect)
      throw error
    } finally {
      next.end()
    }
    if (answer === end) return end
    const parsed = hook.parse(answer)
    if ('decision' in parsed) return parsed.decision
    failure ??= invalidDecision(state, stage.name, name, parsed.fault, effect)
    throw new ToolgateError('INVALID_DECISION', contentText(failure.result.content))
  }
  try {
    const decision = await ask(0)
    return failure ?? decision
  } catch (error) {
    return failure ?? stageFailure(state, 'pipeline', name, error, effect)
  }
}

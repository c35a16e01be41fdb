import { ToolgateError } from '../errors/toolgate-error.js'
import { contentText } from '../tools/content-block.js'
import type { ToolProgress } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { authoredResult } from './authored-result.js'
import { CallLifetime } from './call-lifetime.js'
import type { CallState, Draft, Final } from './call-state.js'
import { CallView } from './call-view.js'
import { dispatch } from './dispatch.js'
import { abandonedStage, brokenPipeline, invalidDecision, NOT_RUN, stageFailure } from './failures.js'
import type { Pending } from './pending.js'
import { isSignal } from './read-input.js'
import { settledWithin } from './settled-within.js'
import { StageNext } from './stage-next.js'
import type { AroundCall } from './stages.js'
import { UNWIND_MS, withinGrace } from './within-grace.js'

/** The call as one around stage sees it. Only the signal can be set. */
class Around extends CallView implements AroundCall {
  readonly #state: CallState
  readonly #lifetime: CallLifetime
  #signal: AbortSignal | undefined
  #listeners: readonly ((progress: ToolProgress) => void)[] = []

  constructor(state: CallState, lifetime: CallLifetime) {
    super(state.call)
    this.#state = state
    this.#lifetime = lifetime
    Object.freeze(this)
  }
  get signal(): AbortSignal {
    return this.#signal ?? this.#lifetime.signal
  }
  set signal(signal: AbortSignal) {
    if (!isSignal(signal))
      throw new ToolgateError(
        'INVALID_DECISION',
        'A stage may replace call.signal only by another AbortSignal',
      )
    this.#signal = signal
  }
  onProgress(listener: (progress: ToolProgress) => void): void {
    if (typeof listener !== 'function')
      throw new ToolgateError('INVALID_DECISION', 'onProgress takes a function')
    this.#listeners = [...this.#listeners, listener]
    this.#state.progressListeners = [...this.#state.progressListeners, listener]
  }
  /** The stage has ended: it hears no more. */
  static end(call: Around): void {
    const gone = call.#listeners
    if (gone.length === 0) return
    call.#state.progressListeners = call.#state.progressListeners.filter(heard => !gone.includes(heard))
  }
  /** The signal that the stage put in place of the call's own, if it did. */
  static replaced(call: Around): AbortSignal | undefined {
    return call.#signal
  }
}

/** What one stage entered: each `next()` has a lifetime of its own, under that of the stage. */
class Inner {
  readonly #open = new Set<CallLifetime>()

  async enter(
    lifetime: CallLifetime,
    run: (lifetime: CallLifetime) => Pending<ToolExecutionResult>,
  ): Promise<ToolExecutionResult> {
    this.#open.add(lifetime)
    try {
      return await run(lifetime)
    } finally {
      this.#open.delete(lifetime)
      lifetime.end()
    }
  }

  /** Nobody waits any more for what is still open: tells it to stop. False if it had all been told before. */
  leave(stage: string): boolean {
    let told = false
    for (const lifetime of this.#open) {
      told ||= !lifetime.aborted
      lifetime.leave(new ToolgateError('ABORTED', `Stage "${stage}" ended before what it had started`))
    }
    return told
  }

  /** What has not stopped by now is given up on. */
  giveUp(): void {
    for (const lifetime of this.#open) lifetime.end()
  }
}

/** Runs the around stages, outermost first, with dispatch innermost. What a stage throws ends the call. */
export function runAround(state: CallState): Promise<Draft> {
  // A body has the whole grace to itself before the stages around it are given up on.
  return withinGrace(state, enterStages(state), () => abandonedStage(state, 'a stage around the tool'))
}

async function enterStages(state: CallState): Promise<Draft> {
  const { around } = state.policy
  // The results that this very dispatch made: another call's are not trusted.
  const made: ToolExecutionResult[] = []
  // A throw travels outwards through every stage that lets it: it is the innermost one's failure.
  let failure: { readonly draft: Final; readonly thrown: unknown } | undefined
  const enter = async (index: number, lifetime: CallLifetime): Promise<ToolExecutionResult> => {
    const stage = around[index]
    if (stage === undefined) {
      const result = await dispatch(state, lifetime)
      made.push(result)
      return result
    }
    const call = new Around(state, lifetime)
    const inner = new Inner()
    const next = new StageNext(() =>
      inner.enter(new CallLifetime(Around.replaced(call), lifetime), within => enter(index + 1, within)),
    )
    let answer: unknown
    try {
      answer = await stage.run(call, next.call)
    } catch (error) {
      const effect = state.bodyStarted ? 'the tool had started' : NOT_RUN
      if (failure?.thrown !== error)
        failure = { draft: stageFailure(state, stage.name, 'execute', error, effect), thrown: error }
      throw error
    } finally {
      next.end()
      Around.end(call)
      // What has only now been told to stop is waited for, as long as the grace allows.
      if (inner.leave(stage.name)) await settledWithin(state.host.abortGraceMs + UNWIND_MS, next.drained())
      inner.giveUp()
    }
    if (made.includes(answer as ToolExecutionResult)) return answer as ToolExecutionResult
    const result = await authoredResult(state, answer, made)
    if (typeof result !== 'string') {
      made.push(result)
      return result
    }
    const draft = invalidDecision(state, stage.name, 'execute', result, 'its result is not used')
    const thrown = new ToolgateError('INVALID_DECISION', contentText(draft.result.content))
    failure = { draft, thrown }
    throw thrown
  }
  try {
    return await enter(0, state.lifetime)
  } catch (error) {
    return failure?.draft ?? brokenPipeline(state, error)
  }
}

import type { CallScope, CallState, Draft, PipelineHost } from '../pipeline/call-state.js'
import { closeCall, dispatchCall, openCall } from '../pipeline/execute-call.js'
import { contained } from '../pipeline/failures.js'
import { endBroken } from '../pipeline/finalize.js'
import type { BatchTerms } from '../pipeline/prepare.js'
import { type ReadInput, readInput } from '../pipeline/read-input.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { type ExecutionMode, executionModeOf } from './execution-mode.js'

/** What follows one submitted call. */
export interface SubmissionHooks {
  /** The call starts: policy looks at it next. Not called for one that is abandoned. */
  onStart?(): void
  /** The call ended; in order of submission. */
  onEnd?(result: ToolExecutionResult): void
}

interface Submission {
  readonly input: ReadInput
  readonly hooks: SubmissionHooks
  readonly settle: (result: ToolExecutionResult | undefined) => void
}

/** A started call that is not committed yet. Its draft is there once its body has ended. */
interface Flight {
  readonly submission: Submission
  readonly state: CallState
  readonly mode: ExecutionMode
  draft: Draft | undefined
}

export interface SchedulerOptions extends BatchTerms {
  /** How many bodies may run at a time. */
  readonly maxParallel: number
}

/**
 * Runs calls under the one concurrency contract: policy one call at a time in order of submission, bodies overlapping as
 * their tools allow, results committed in order of submission. Each call submitted gets exactly one answer.
 */
export class CallScheduler {
  readonly #host: PipelineHost
  readonly #from: CallScope
  readonly #options: SchedulerOptions
  readonly #waiting: Submission[] = []
  readonly #flights: Flight[] = []
  #running = 0
  #laneBusy = false
  #wake: (() => void) | undefined
  #idle: (() => void)[] = []

  constructor(host: PipelineHost, from: CallScope, options: SchedulerOptions) {
    this.#host = host
    this.#from = from
    this.#options = options
  }

  /** Queues a call; resolves when it commits, or with `undefined` if it is abandoned before it starts. */
  submit(input: unknown, hooks: SubmissionHooks = {}): Promise<ToolExecutionResult | undefined> {
    return new Promise(settle => {
      this.#waiting.push({ input: readInput(input, this.#host.argumentLimits), hooks, settle })
      this.#signalLane()
    })
  }

  /** Drops what has not started and resolves when all that has is committed. */
  abandon(): Promise<void> {
    for (const submission of this.#waiting.splice(0)) submission.settle(undefined)
    return this.idle()
  }

  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void> {
    if (!this.#laneBusy) return Promise.resolve()
    return new Promise(resolve => this.#idle.push(resolve))
  }

  /** The calls that have started and not ended. */
  get inFlight(): readonly ToolCall[] {
    return this.#flights.map(flight => flight.state.call)
  }

  #signalLane(): void {
    this.#wake?.()
    if (this.#laneBusy) return
    this.#laneBusy = true
    void this.#lane()
  }

  // One lane opens and commits, so that policy and observers see one call at a time, in order; only bodies overlap.
  async #lane(): Promise<void> {
    // Calls submitted in the same breath are all in the queue before the first one starts.
    await undefined
    for (;;) {
      const [head] = this.#flights
      const [next] = this.#waiting
      if (head?.draft !== undefined) {
        await this.#commit(head, head.draft)
      } else if (next !== undefined && this.#mayTry()) {
        const mode = executionModeOf(this.#host, this.#from, next.input)
        if (this.#fits(mode)) {
          this.#waiting.shift()
          await this.#start(next, mode)
        } else await this.#nextEvent()
      } else if (head === undefined) break
      else await this.#nextEvent()
    }
    this.#laneBusy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #mayTry(): boolean {
    return this.#running < this.#options.maxParallel && this.#flights[0]?.mode.kind !== 'exclusive'
  }

  #fits(mode: ExecutionMode): boolean {
    if (mode.kind === 'exclusive') return this.#flights.length === 0
    const { resourceKeys } = mode
    if (resourceKeys === undefined) return true
    return !this.#flights.some(
      flight =>
        flight.mode.kind === 'parallel' && flight.mode.resourceKeys?.some(key => resourceKeys.includes(key)),
    )
  }

  async #start(submission: Submission, mode: ExecutionMode): Promise<void> {
    submission.hooks.onStart?.()
    const { state, refusal } = await openCall(this.#host, this.#from, submission.input, this.#options)
    const flight: Flight = { submission, state, mode, draft: refusal }
    this.#flights.push(flight)
    if (refusal !== undefined) return
    this.#running++
    void this.#runBody(flight)
  }

  async #runBody(flight: Flight): Promise<void> {
    const { state } = flight
    flight.draft = await contained(state, () => dispatchCall(state))
    this.#running--
    this.#wake?.()
  }

  async #commit(flight: Flight, draft: Draft): Promise<void> {
    this.#flights.shift()
    const { state, submission } = flight
    let result: ToolExecutionResult
    try {
      result = await closeCall(state, draft)
    } catch (error) {
      result = endBroken(state, error)
    }
    submission.hooks.onEnd?.(result)
    submission.settle(result)
  }

  async #nextEvent(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }
}

import type { JsonValue } from '../json/json-value.js'
import {
  type CallScope,
  type CallState,
  type Draft,
  Final,
  type PipelineHost,
} from '../pipeline/call-state.js'
import { closeCall, dispatchCall, openCall } from '../pipeline/execute-call.js'
import { brokenPipeline } from '../pipeline/failures.js'
import { endBroken } from '../pipeline/finalize.js'
import { isPending, type Pending } from '../pipeline/pending.js'
import type { BatchTerms } from '../pipeline/prepare.js'
import { isText, type ReadInput, readInput } from '../pipeline/read-input.js'
import { Fifo } from '../queue/fifo.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { type ExecutionMode, executionModeOf } from './execution-mode.js'
import { HeldKeys } from './held-keys.js'

/** What follows one submitted call. */
export interface SubmissionHooks {
  /** Asked when the call is the next to start; it waits for what is answered. */
  pause?(): Promise<void> | undefined
  /** The call starts: policy looks at it next, with these arguments; `null` for unusable ones. Not called for one that is abandoned. */
  onStart?(args: JsonValue): void
  /** The body has ended, been given up or never started; as that happens. The result is what stages make something of yet. */
  onBodyEnd?(result: ToolExecutionResult, call: ToolCall, bodies: EndedBodies): void
  /** The call ended; in order of submission. Nothing starts before what this returns has settled. */
  onEnd?(result: ToolExecutionResult, call: ToolCall): Promise<void> | undefined
}

/** What there is of a call's bodies when it goes on without them. */
export interface EndedBodies {
  readonly bodyStarted: boolean
  /** Those that have not ended: of several attempts, or left by a stage. */
  readonly bodiesRunning: number
}

interface Submission {
  readonly input: ReadInput
  readonly hooks: SubmissionHooks
  readonly settle: (result: ToolExecutionResult | undefined) => void
}

/** A call that starts now. */
interface Departure {
  readonly submission: Submission
  readonly mode: ExecutionMode
}

/** A call between its opening and its commit. Its draft is there once its body has ended. */
interface Flight extends Departure {
  readonly state: CallState
  draft: Draft | undefined
}

export interface SchedulerOptions extends BatchTerms {
  /** How many bodies may run at a time. */
  readonly maxParallel: number
  /** Asked before each call starts; the call waits for what it answers. */
  pause?(): Promise<void> | undefined
}

const NO_HOOKS: SubmissionHooks = {}

/**
 * Runs calls under the one concurrency contract: policy one call at a time in order of submission, bodies overlapping as
 * their tools allow, results committed in order of submission. Each call submitted gets exactly one answer.
 */
export class CallScheduler {
  readonly #host: PipelineHost
  readonly #from: CallScope
  readonly #options: SchedulerOptions
  readonly #waiting = new Fifo<Submission>()
  readonly #flights = new Fifo<Flight>()
  readonly #held = new HeldKeys()
  #opening: Submission | undefined
  #running = 0
  #laneBusy = false
  #closed = false
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined
  #idle: (() => void)[] = []

  constructor(host: PipelineHost, from: CallScope, options: SchedulerOptions) {
    this.#host = host
    this.#from = from
    this.#options = options
  }

  /**
   * Queues a call; resolves when it commits, or with `undefined` if it does not start: the scheduler was abandoned, or it
   * broke and has a `failure`.
   */
  submit(input: unknown, hooks: SubmissionHooks = NO_HOOKS): Promise<ToolExecutionResult | undefined> {
    return new Promise(settle => {
      if (this.#closed) return settle(undefined)
      this.#waiting.push({ input: readInput(input, this.#host.argumentLimits), hooks, settle })
      this.#signalLane()
    })
  }

  /** Drops what has not started, takes nothing more, and resolves when all that has started is committed. */
  abandon(): Promise<void> {
    this.#close()
    return this.idle()
  }

  /** True while nothing is queued or under way. */
  get isIdle(): boolean {
    return !this.#laneBusy
  }

  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void> {
    if (this.isIdle) return Promise.resolve()
    return new Promise(resolve => this.#idle.push(resolve))
  }

  /** The calls that have started and whose bodies have not ended. */
  get inFlight(): readonly { readonly name: string }[] {
    const open = this.#flights
      .toArray()
      .filter(flight => flight.draft === undefined)
      .map(flight => flight.state.call)
    const opening = this.#opening?.input.fields.name
    return opening === undefined ? open : [...open, { name: String(opening) }]
  }

  /** What broke the scheduler itself, if anything has. No result stands for a call that it left behind. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  #close(): void {
    this.#closed = true
    for (const submission of this.#waiting.drain()) submission.settle(undefined)
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
    while (this.#flights.size > 0 || this.#waiting.size > 0) {
      try {
        const head = this.#flights.first
        if (head?.draft !== undefined) await this.#commit(head, head.draft)
        else {
          const first = this.#waiting.first
          const pausing = first && (this.#options.pause?.() ?? first.hooks.pause?.())
          // What ends meanwhile is looked at first: nobody waits for the word of it.
          if (pausing !== undefined) {
            await pausing
            continue
          }
          const next = this.#takeNext()
          await (next === undefined ? this.#nextEvent() : this.#start(next))
        }
      } catch (error) {
        this.#break(error)
      }
    }
    this.#laneBusy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** The next call, if it may run beside those under way. What that depends on is asked anew each time. */
  #takeNext(): Departure | undefined {
    const submission = this.#waiting.first
    if (submission === undefined || this.#running >= this.#options.maxParallel) return undefined
    if (this.#flights.first?.mode.kind === 'exclusive') return undefined
    const mode = executionModeOf(this.#host, this.#from, submission.input)
    // The tool was asked, and may have ended the run.
    if (!this.#fits(mode) || this.#waiting.first !== submission) return undefined
    this.#waiting.shift()
    return { submission, mode }
  }

  #fits(mode: ExecutionMode): boolean {
    if (mode.kind === 'exclusive') return this.#flights.size === 0
    return mode.resourceKeys === undefined || this.#held.areFree(mode.resourceKeys)
  }

  async #start({ submission, mode }: Departure): Promise<void> {
    this.#opening = submission
    try {
      if (submission.hooks.onStart !== undefined)
        submission.hooks.onStart(this.#argumentsOf(submission.input))
      const { state, refusal } = await openCall(this.#host, this.#from, submission.input, this.#options)
      const flight: Flight = { submission, mode, state, draft: undefined }
      this.#flights.push(flight)
      this.#held.hold(mode)
      if (refusal === undefined) this.#runBody(flight)
      else this.#bodyEnded(flight, refusal)
    } catch (error) {
      submission.settle(undefined)
      throw error
    } finally {
      this.#opening = undefined
    }
  }

  #argumentsOf(input: ReadInput): JsonValue {
    const { name } = input.fields
    const read = input.argumentsFor(isText(name) ? this.#from.resolve(name) : undefined)
    return read.ok ? read.value : null
  }

  #runBody(flight: Flight): void {
    const { state } = flight
    let draft: Pending<Draft>
    try {
      draft = dispatchCall(state)
    } catch (error) {
      draft = brokenPipeline(state, error)
    }
    if (!isPending(draft)) {
      this.#bodyEnded(flight, draft)
      return
    }
    this.#running++
    const end = (ended: Draft): void => {
      this.#running--
      this.#bodyEnded(flight, ended)
      this.#wake?.()
    }
    void draft.then(end, error => end(brokenPipeline(state, error)))
  }

  #bodyEnded(flight: Flight, draft: Draft): void {
    flight.draft = draft
    const { state, submission } = flight
    submission.hooks.onBodyEnd?.(draft instanceof Final ? draft.result : draft, state.call, state)
  }

  async #commit({ state, submission, mode }: Flight, draft: Draft): Promise<void> {
    let result: ToolExecutionResult
    try {
      const closed = closeCall(state, draft)
      result = isPending(closed) ? await closed : closed
    } catch (error) {
      result = endBroken(state, error)
    }
    this.#flights.shift()
    this.#held.release(mode)
    submission.settle(result)
    const pausing = submission.hooks.onEnd?.(result, state.call)
    if (pausing !== undefined) await pausing
  }

  /** What breaks here is the host's affair: nothing more starts, what runs is waited for, and no result is made up. */
  #break(error: unknown): void {
    this.#failure ??= { error }
    this.#close()
  }

  async #nextEvent(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }
}

import type { CodeFailureKind } from '../../code-runtime.js'
import { Engine, GuestMemoryFull, GuestThrow, INITIAL_BYTES } from '../engine/engine.js'
import type { EngineHost } from '../engine/engine-imports.js'
import { type MemoryImage, restoreImage } from '../engine/memory-image.js'
import { HardStop, REFILL } from './cpu-budget.js'
import type { GuestOwner } from './guest-owner.js'
import { readThrown, type Thrown } from './judge-ending.js'
import { TOO_LARGE } from './reply-text.js'

/** What the host asks of the guest; `main` of the prelude knows them by number. */
export const OPERATIONS = ['setUp', 'start', 'settle', 'fireTimer', 'describe', 'leave'] as const
type Operation = (typeof OPERATIONS)[number]

export interface GuestLimits {
  readonly memoryBytes: number
  readonly stackBytes: number
}

/** What a guest at rest is beside its memory: where in it things are. */
export interface GuestState {
  readonly runtime: number
  readonly context: number
  readonly stackPointer: number
  /** The stack that the memory was made for. */
  readonly stackBytes: number
  readonly main: number
  readonly operations: readonly number[]
}

/** How an engine call ended: well, or with what the host saw. */
export type GuestOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: CodeFailureKind; readonly thrown?: Thrown }

/** What a host function returns for `undefined`. */
const NOTHING = 0
const DONE: GuestOutcome = { ok: true }
const JOBS_AT_ONCE = 16

/** A `RangeError`, or in some browsers an `InternalError`. */
const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')

/** An engine instance with the prelude in it, which runs one program after another, each for its own owner. */
export class Guest {
  readonly engine: Engine
  /** True once the program was stopped in a stretch too long without a jump back or a call. */
  ranTooFarStraight = false
  /** True once the engine has broken an assumption of its own. Such a guest is not used again. */
  hasCrashed = false
  readonly #stackBytes: number
  #owner: GuestOwner | undefined
  #main = 0
  #program = 0
  #operations: readonly number[] = []
  #setUpFrom: string | undefined

  constructor(module: WebAssembly.Module, limits: GuestLimits) {
    const host: EngineHost = {
      now: () => this.#owner?.now() ?? 0,
      shouldStop: () => {
        this.engine.pollSoon()
        this.#payDebt()
        return this.#owner?.budget.shouldStop() ?? false
      },
      receive: list => this.#receive(list),
      moduleSource: name => this.#owner?.moduleSource(name) ?? '',
      charge: fuel => {
        this.engine.exports.fuel.value -= fuel
      },
      tick: () => this.#tick(),
    }
    this.engine = new Engine(module, INITIAL_BYTES + limits.memoryBytes, host)
    this.#stackBytes = limits.stackBytes
  }

  /** Makes itself at home in a memory that holds the state of a guest. */
  resume(state: GuestState): void {
    this.engine.enter(state.runtime, state.context)
    this.engine.collectInTime()
    this.engine.exports.restoreStack(state.stackPointer)
    if (this.#stackBytes !== state.stackBytes)
      this.engine.exports.setMaxStackSize(state.runtime, this.#stackBytes)
    this.#main = state.main
    this.#operations = state.operations
  }

  /** Forgets everything: what the guest held and whom it ran for. An image may hold namespaces that are set up, from a text. */
  restore(image: MemoryImage, state: GuestState, setUpFrom?: string): void {
    restoreImage(this.engine.memory.buffer, image)
    this.#program = 0
    this.#rest(state, setUpFrom)
  }

  /** Sets namespaces up while the guest is at rest, so that no program pays for it. False: the guest is to be restored. */
  prepare(setUp: string, state: GuestState): boolean {
    if (!this.setUp(setUp).ok) return false
    this.#rest(state, setUp)
    return true
  }

  #rest(state: GuestState, setUpFrom: string | undefined): void {
    this.engine.exports.fuel.value = 0
    this.engine.exports.reports.value = 0
    this.engine.exports.trying.value = 0
    this.ranTooFarStraight = false
    this.#owner = undefined
    this.#setUpFrom = setUpFrom
    this.resume(state)
  }

  /** True once the guest needed more memory than it may have. */
  get memoryEnded(): boolean {
    return this.engine.hasUsedUpMemory
  }

  /** True once the guest nested deeper than it may. */
  get stackEnded(): boolean {
    return this.engine.hasUsedUpStack
  }

  get memoryBytes(): number {
    return this.engine.memory.buffer.byteLength
  }

  /** Gives the guest to a run. */
  adopt(owner: GuestOwner): void {
    this.#owner = owner
    this.engine.pollSoon()
  }

  seed(first: number, second: number): void {
    this.engine.seed(first, second)
  }

  /** What the guest has been set up from while it was at rest. */
  get setUpFrom(): string | undefined {
    return this.#setUpFrom
  }

  /** Makes the namespaces' globals, unless that was done while the guest was at rest. */
  setUp(json: string): GuestOutcome {
    if (json === this.#setUpFrom) return DONE
    return this.#guarded(() => this.#operate('setUp', this.engine.string(json)))
  }

  /** Reads a program without running it. What it throws here all the same, it throws outside its function. */
  compile(script: string, file: string): GuestOutcome {
    let parses = false
    const read = this.#guarded(() => {
      try {
        this.#program = this.engine.evaluate(script, file)
      } catch (error) {
        parses = error instanceof GuestThrow && this.engine.parses(script, file)
        throw error
      }
    })
    // A parser without memory says whatever it comes to next.
    if (!read.ok && this.memoryEnded) return { ok: false, kind: 'memory' }
    return read.ok || read.thrown === undefined || parses ? read : { ...read, kind: 'syntax' }
  }

  start(callsResult: boolean): GuestOutcome {
    return this.#guarded(() =>
      this.#operate('start', this.#program, this.engine.string(callsResult ? 'call' : '')),
    )
  }

  settle(id: number, reply: string): GuestOutcome {
    return this.#guarded(() => {
      const { engine } = this
      // Apart from its text, which the guest would have to copy to take it off.
      const body = this.#textOf(reply.slice(1))
      const verdict = body === undefined ? TOO_LARGE : Number(reply[0])
      this.#operate('settle', engine.number(id), body ?? engine.string(''), engine.number(verdict))
    })
  }

  fireTimer(id: number): GuestOutcome {
    return this.#guarded(() => this.#operate('fireTimer', this.engine.number(id)))
  }

  /** Has a program that will not end by itself say which calls it has not awaited. */
  leave(): void {
    this.#guarded(() => this.#operate('leave'))
  }

  /** Where the program is while it sends a message. */
  callStack(): string {
    return this.engine.callStack()
  }

  get hasJobs(): boolean {
    return this.engine.hasJobs
  }

  runJobs(): GuestOutcome {
    return this.#guarded(() => this.engine.runJobs(JOBS_AT_ONCE))
  }

  #operate(operation: Operation, ...given: readonly number[]): void {
    const { engine } = this
    const code = this.#operations[OPERATIONS.indexOf(operation)] as number
    engine.free(engine.call(this.#main, [code, ...given]))
    for (const value of given) engine.free(value)
  }

  /** A guest string; `undefined` if it does not fit into the memory, which fails its call and not the program. */
  #textOf(text: string): number | undefined {
    try {
      return this.engine.string(text)
    } catch (error) {
      if (error instanceof GuestThrow) this.engine.free(error.value)
      else if (!(error instanceof GuestMemoryFull)) throw error
      return undefined
    }
  }

  /** Opcodes are paid for where nothing can stop them. */
  #payDebt(): void {
    const { fuel } = this.engine.exports
    const debt = -fuel.value
    if (debt <= 0) return
    fuel.value = REFILL
    this.#owner?.budget.count(debt)
  }

  #tick(): void {
    const { fuel } = this.engine.exports
    const debt = -fuel.value
    fuel.value = REFILL
    this.#owner?.budget.tick(debt)
  }

  #receive(list: number): number {
    const { engine } = this
    const owner = this.#owner
    const message = engine.text(
      engine.exports.argument(list, 0),
      (head, bytes) => owner?.admits(head, bytes) ?? false,
      () => owner?.budget.stop('memory'),
    )
    const answer = message === undefined ? undefined : owner?.receive(message)
    return answer === undefined ? NOTHING : this.#answer(answer)
  }

  // What is thrown here goes through the engine, which can then not be asked what it was.
  #answer(text: string): number {
    try {
      return this.engine.string(text)
    } catch (error) {
      throw error instanceof GuestThrow ? new GuestMemoryFull() : error
    }
  }

  /** Every way into the engine passes here: the CPU clock runs, and whatever comes out is data. */
  #guarded(work: () => void): GuestOutcome {
    const budget = this.#owner?.budget
    budget?.enter()
    try {
      work()
      return DONE
    } catch (error) {
      return this.#outcomeOf(error)
    } finally {
      budget?.leave()
    }
  }

  #outcomeOf(error: unknown): GuestOutcome {
    if (error instanceof HardStop) return { ok: false, kind: 'timeout-cpu' }
    if (error instanceof GuestMemoryFull) return { ok: false, kind: 'memory' }
    if (error instanceof GuestThrow) return this.#describe(error.value)
    if (this.engine.hasEndedForMemory) return { ok: false, kind: 'memory' }
    // The engine's own stack check comes second to the host's stack.
    if (isStackOverflow(error) || this.engine.hasEndedForStack) return { ok: false, kind: 'stack' }
    if (error instanceof WebAssembly.RuntimeError && this.engine.hasRunTooFarStraight) {
      this.ranTooFarStraight = true
      return { ok: false, kind: 'timeout-cpu' }
    }
    this.hasCrashed = true
    return { ok: false, kind: 'crash' }
  }

  #describe(value: number): GuestOutcome {
    const { engine } = this
    try {
      const code = this.#operations[OPERATIONS.indexOf('describe')] as number
      const described = engine.call(this.#main, [code, value])
      const thrown = engine.text(described)
      return thrown === undefined
        ? { ok: false, kind: 'memory' }
        : { ok: false, kind: 'exception', thrown: readThrown(thrown) }
    } catch {
      return { ok: false, kind: this.memoryEnded ? 'memory' : 'crash' }
    }
  }
}

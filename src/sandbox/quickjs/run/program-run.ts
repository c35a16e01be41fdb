import { describeError } from '../../../errors/describe-error.js'
import { listedNames } from '../../../errors/listed-names.js'
import type { CodeFailureKind, CodeRunOutcome, CodeRunRequest } from '../../code-runtime.js'
import { existingText } from '../guest/names.js'
import type { PreparedProgram } from '../program/prepare-program.js'
import { PROGRAM_FILE } from '../program/read-frame.js'
import { CallDesk } from './call-desk.js'
import { CpuBudget } from './cpu-budget.js'
import { Deadline } from './deadline.js'
import { failureText, hostFaultText, TOO_FAR_STRAIGHT } from './failure-text.js'
import type { Guest, GuestOutcome } from './guest.js'
import type { GuestOwner } from './guest-owner.js'
import { Inbox } from './inbox.js'
import { judgeEnding } from './judge-ending.js'
import { OutputLedger } from './output-ledger.js'
import type { RunSettings } from './run-settings.js'

/** A program that never waits still lets the host's own timers and signals in, this often. */
const SLICE_MS = 20

/** One program in one guest, from its start to its one outcome. */
export class ProgramRun implements GuestOwner {
  readonly budget: CpuBudget
  /** Settles with the outcome. Never rejects. */
  readonly outcome: Promise<CodeRunOutcome>
  readonly #request: CodeRunRequest
  readonly #program: PreparedProgram
  readonly #settings: RunSettings
  readonly #guest: Guest
  readonly #ledger: OutputLedger
  readonly #wall: Deadline
  readonly #desk: CallDesk
  readonly #inbox: Inbox
  #resolve: (outcome: CodeRunOutcome) => void = () => {}
  #reason: unknown
  #hostFault: string | undefined
  /** Of the answer that is in the guest, and whose jobs have not run. */
  #tellTaken: (() => void) | undefined
  #scheduled = false
  #settled = false
  #busyMs = 0

  constructor(guest: Guest, program: PreparedProgram, request: CodeRunRequest, settings: RunSettings) {
    const { limits } = settings
    this.#guest = guest
    this.#program = program
    this.#request = request
    this.#settings = settings
    const { onLook } = settings
    this.budget = new CpuBudget(
      limits.cpuMs,
      settings.countCpu,
      onLook && (() => onLook(this.#desk.notBegun)),
    )
    this.#ledger = new OutputLedger(limits.outputBytes)
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
    this.#wall = new Deadline(limits.wallMs, () => this.stop('timeout-wall'))
    this.#desk = new CallDesk({
      namespaces: request.namespaces,
      limits,
      hold: spentMs => this.#hold(spentMs),
      callStack: () => this.#guest.callStack(),
      wake: () => this.#schedule(),
    })
    this.#inbox = new Inbox({
      request,
      settings,
      budget: this.budget,
      ledger: this.#ledger,
      desk: this.#desk,
      randomHex: bytes => this.#ofHost('source of randomness', () => settings.randomHex(bytes)),
    })
    request.signal?.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.stop('abort', this.#request.signal?.reason)

  /** Begins, with what the guest is to be set up from. */
  start(setUp: string): void {
    this.#guest.adopt(this)
    const { script, callsResult } = this.#program
    const ready =
      this.#see(this.#guest.setUp(setUp)) &&
      this.#see(this.#guest.compile(script, PROGRAM_FILE)) &&
      this.#see(this.#guest.start(callsResult))
    if (ready) this.#advance()
  }

  /** Ends the run for a reason of the host's. Before it has begun or after it has ended, this does nothing. */
  stop(kind: CodeFailureKind, reason?: unknown): void {
    if (this.#settled || this.budget.stopped !== undefined) return
    this.#reason = reason
    if (!this.budget.inGuest) this.#guest.leave()
    this.budget.stop(kind)
    if (!this.budget.inGuest) this.#conclude()
  }

  now(): number {
    return this.#ofHost('clock', () => Number(this.#settings.now())) ?? Number.NaN
  }

  /** What the host gives, or nothing: then the program is not the one that failed. */
  #ofHost<T>(what: 'clock' | 'source of randomness', give: () => T): T | undefined {
    try {
      return give()
    } catch (error) {
      this.#hostFault ??= hostFaultText(what, error)
      this.budget.stop('crash')
      return undefined
    }
  }

  moduleSource(name: string): string {
    const namespaces = this.#request.namespaces.map(({ global }) => `${global}, `).join('')
    const message = `import(${JSON.stringify(name)}) does not work in this sandbox: there are no modules. ${existingText(namespaces)}`
    return `throw new Error(${JSON.stringify(message)})`
  }

  admits(head: string, bytes: number): boolean {
    return this.#hasEnded ? false : this.#inbox.admits(head, bytes)
  }

  receive(message: string): string | undefined {
    return this.#hasEnded ? undefined : this.#inbox.receive(message)
  }

  get #hasEnded(): boolean {
    return this.#inbox.ending !== undefined || this.budget.stopped !== undefined
  }

  /** What was kept from going on because its time seemed to be up goes on. */
  #hold(spentMs: number | undefined): () => void {
    const { isUp } = this.#wall
    const release = this.#wall.hold(spentMs)
    if (isUp) this.#schedule()
    return release
  }

  #schedule(): void {
    if (this.#scheduled || this.#settled) return
    this.#scheduled = true
    const go = (): void => {
      this.#scheduled = false
      if (!this.#settled && !this.#wall.isUp) this.#advance()
    }
    if (this.#busyMs < SLICE_MS) {
      queueMicrotask(go)
      return
    }
    this.#busyMs = 0
    setTimeout(go, 0)
  }

  /** Lets the guest go on until it waits, delivers what has come in, one after the other, and sends out what it asked for. */
  #advance(): void {
    const { budget } = this
    const beganAt = budget.spentMs
    while (this.#busyMs + budget.spentMs - beganAt <= SLICE_MS) {
      const seen = this.#guest.hasJobs ? this.#runJobs() : this.#deliver()
      if (seen === undefined) break
      if (!this.#see(seen)) return
    }
    this.#busyMs += budget.spentMs - beganAt
    this.#desk.dispatch()
    if (this.#settled) return
    if (this.#guest.hasJobs || this.#desk.hasAnswers) this.#schedule()
    else if (this.#desk.isIdle) {
      this.#guest.leave()
      if (this.#guest.memoryEnded) this.#fail('memory', ` ${failureText('deadlock', this.#settings.limits)}`)
      else this.#fail('deadlock')
    }
  }

  #deliver(): GuestOutcome | undefined {
    const answer = this.#desk.next()
    if (answer === undefined) return undefined
    if (answer.kind === 'timer') return this.#guest.fireTimer(answer.id)
    this.#inbox.answeredStack = answer.stack
    const seen = this.#guest.settle(answer.id, answer.text)
    if (!seen.ok) return seen
    // Reading a large one takes long, and whatever ends the run may come before what waits for it goes on.
    if (this.#guest.hasJobs) this.#tellTaken = answer.taken
    else answer.taken?.()
    return seen
  }

  #runJobs(): GuestOutcome {
    const seen = this.#guest.runJobs()
    this.#tellTaken?.()
    this.#tellTaken = undefined
    return seen
  }

  /** True if the run goes on. */
  #see(seen: GuestOutcome): boolean {
    if (this.#settled) return false
    if (this.#hasEnded) {
      this.#conclude(seen)
      return false
    }
    if (seen.ok) return true
    if (seen.thrown === undefined) this.budget.stop(seen.kind)
    else this.#inbox.ending = { kind: 'thrown', failure: seen.kind, thrown: seen.thrown }
    this.#conclude()
    return false
  }

  #conclude(seen?: GuestOutcome): void {
    const { stopped } = this.budget
    const { ending } = this.#inbox
    if (stopped !== undefined && stopped !== 'settled') this.#fail(stopped)
    else if (ending === undefined) this.#fail(seen !== undefined && !seen.ok ? seen.kind : 'crash')
    else this.#settle(judgeEnding(ending, this.#program, this.#settings.limits, this.#ledger, this.#guest))
  }

  #fail(kind: CodeFailureKind, addition = ''): void {
    const { limits } = this.#settings
    const text =
      kind === 'timeout-cpu' && this.#guest.ranTooFarStraight
        ? TOO_FAR_STRAIGHT
        : kind === 'crash' && this.#hostFault !== undefined
          ? this.#hostFault
          : failureText(kind, limits, this.#ledger.total)
    const reason = kind === 'abort' && this.#reason !== undefined ? ` ${describeError(this.#reason)}` : ''
    this.#settle({ error: { kind, message: `${text}${reason}${addition}` } })
  }

  #settle(outcome: Pick<CodeRunOutcome, 'value' | 'error'>): void {
    if (this.#settled) return
    this.#settled = true
    this.budget.stop('settled')
    this.#wall.end()
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    const { notAwaited } = this.#inbox
    const notRun = listedNames(this.#desk.close())
    this.#resolve({
      ...outcome,
      logs: this.#ledger.logs,
      ...(notAwaited.length > 0 && { notAwaited }),
      ...(notRun.length > 0 && { notRun }),
    })
    this.#desk.signalEnd()
  }
}

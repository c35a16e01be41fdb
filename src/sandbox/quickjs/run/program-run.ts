import { describeError } from '../../../errors/describe-error.js'
import type { CodeFailureKind, CodeLog, CodeRunOutcome, CodeRunRequest } from '../../code-runtime.js'
import { existingText } from '../guest/names.js'
import type { QuickJsLimits } from '../limits.js'
import { PROGRAM_FILE } from '../program/describe-failure.js'
import type { PreparedProgram } from '../program/prepare-program.js'
import { CallDesk, callBytes } from './call-desk.js'
import { CpuBudget } from './cpu-budget.js'
import { failureText, TOO_FAR_STRAIGHT } from './failure-text.js'
import type { Guest, GuestOutcome, GuestOwner } from './guest.js'
import { type Ending, judgeEnding, readEnding, type Thrown } from './judge-ending.js'
import { lineOf } from './log-line.js'
import { leastBytes, weightOf } from './message-bytes.js'
import { type NotAwaited, namesOf } from './not-awaited.js'
import { OutputLedger } from './output-ledger.js'
import { TextsAside } from './texts-aside.js'
import { WallClock } from './wall-clock.js'

/** What a runtime gives to each of its runs. */
export interface RunSettings {
  readonly limits: QuickJsLimits
  readonly now: () => number
  readonly countCpu: boolean
  /** Texts of what the guest evaluates when a program touches it, by part. */
  readonly polyfills: { readonly [part: string]: string }
  /** So many random bytes, as hexadecimal digits. */
  readonly randomHex: (bytes: number) => string
}

const LEVELS: readonly CodeLog['level'][] = ['log', 'info', 'warn', 'error', 'debug']
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
  readonly #wall: WallClock
  readonly #desk: CallDesk
  readonly #texts = new TextsAside()
  readonly #mostTextBytes: number
  #resolve: (outcome: CodeRunOutcome) => void = () => {}
  #ending: Ending | undefined
  #notAwaited: NotAwaited = [0]
  #reason: unknown
  /** Where the call was made whose answer is being delivered. */
  #answeredStack = ''
  #clockFault: string | undefined
  #scheduled = false
  #settled = false
  #busyMs = 0

  constructor(guest: Guest, program: PreparedProgram, request: CodeRunRequest, settings: RunSettings) {
    const { limits } = settings
    this.#guest = guest
    this.#program = program
    this.#request = request
    this.#settings = settings
    this.budget = new CpuBudget(limits.cpuMs, settings.countCpu)
    this.#ledger = new OutputLedger(limits.outputBytes)
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
    this.#mostTextBytes = Math.max(limits.outputBytes, ...request.namespaces.map(callBytes))
    this.#wall = new WallClock(limits.wallMs, () => this.stop('timeout-wall'))
    this.#desk = new CallDesk({
      namespaces: request.namespaces,
      limits,
      hold: () => this.#wall.hold(),
      callStack: () => this.#guest.callStack(),
      wake: () => this.#schedule(),
    })
    request.signal?.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.stop('abort', this.#request.signal?.reason)

  start(): void {
    this.#guest.adopt(this)
    const { outputBytes } = this.#settings.limits
    const namespaces = this.#request.namespaces.map(({ global, functions, open, errorClass }) => ({
      global,
      functions: Object.fromEntries(functions.map(name => [name, 0])),
      open: open === true,
      errorClass: errorClass ?? null,
    }))
    const { script, callsResult } = this.#program
    const ready =
      this.#see(this.#guest.setUp(JSON.stringify({ namespaces, outputBytes }))) &&
      this.#see(this.#guest.compile(script, PROGRAM_FILE)) &&
      this.#see(this.#guest.start(callsResult))
    if (ready) this.#advance()
  }

  /** Ends the run for a reason of the host's. Before it has begun or after it has ended, this does nothing. */
  stop(kind: CodeFailureKind, reason?: unknown): void {
    if (this.#settled || this.budget.stopped !== undefined) return
    this.#reason = reason
    this.budget.stop(kind)
    if (!this.budget.inGuest) this.#conclude()
  }

  now(): number {
    try {
      return Number(this.#settings.now())
    } catch (error) {
      this.#clockFault ??= describeError(error)
      this.budget.stop('crash')
      return Number.NaN
    }
  }

  moduleSource(name: string): string {
    const namespaces = this.#request.namespaces.map(({ global }) => `${global}, `).join('')
    const message = `import(${JSON.stringify(name)}) does not work in this sandbox: there are no modules. ${existingText(namespaces)}`
    return `throw new Error(${JSON.stringify(message)})`
  }

  admits(head: string, bytes: number): boolean {
    if (this.#ending !== undefined || this.budget.stopped !== undefined) return false
    const kind = head[0] as string
    if (kind === 'P') {
      this.#texts.expect(bytes - 1)
      // Whatever it belongs to is refused when it comes.
      return this.#texts.bytes <= this.#mostTextBytes && this.budget.affordsReading(bytes)
    }
    if (kind === 'C' && !this.#desk.admits(head.slice(1), bytes + this.#texts.bytes)) {
      this.#texts.drop()
      return false
    }
    if (!this.#ledger.fits(leastBytes(head, bytes, this.#texts.bytes))) {
      this.budget.stop('output-limit')
      return false
    }
    return this.budget.affordsReading(bytes + weightOf(head))
  }

  receive(message: string): string | undefined {
    if (this.#ending !== undefined || this.budget.stopped !== undefined) return undefined
    const body = message.slice(1)
    switch (message[0]) {
      case 'G':
        return Object.hasOwn(this.#settings.polyfills, body) ? this.#settings.polyfills[body] : undefined
      case 'R':
        return this.#settings.randomHex(Number(body))
      case 'K':
        return this.#answeredStack
      case 'L':
        this.#print(LEVELS[Number(body[0])] as CodeLog['level'], JSON.parse(body.slice(1)) as string)
        return undefined
      case 'M':
        this.#print(LEVELS[Number(body[0])] as CodeLog['level'], body.slice(1))
        return undefined
      case 'P':
        this.#texts.add(body)
        return undefined
      case 'C':
        this.#takeCall(body)
        return undefined
      case 'Q':
        this.#texts.drop()
        return undefined
      case 'T':
        this.#desk.setTimer(body)
        return undefined
      case 'U':
        this.#desk.clearTimer(body)
        return undefined
      case 'N':
        this.#notAwaited = JSON.parse(body) as NotAwaited
        return undefined
      default:
        this.#end(message[0] as string, body)
        return undefined
    }
  }

  #takeCall(body: string): void {
    const bytes = body.length + this.#texts.bytes
    if (this.#texts.bytes === 0 || this.#desk.admits(body, bytes)) this.#desk.take(body, this.#texts)
    else this.#texts.drop()
  }

  #end(kind: string, text: string): void {
    if (kind === 'B' && !this.#ledger.fits(this.#texts.bytes)) {
      this.budget.stop('output-limit')
      return
    }
    this.#ending = readEnding(kind, text, this.#texts)
    // What the program left behind must not go on computing.
    this.budget.stop('settled')
  }

  #print(level: CodeLog['level'], text: string): void {
    if (!this.#ledger.addLine(lineOf({ level, text }))) {
      this.budget.stop('output-limit')
      return
    }
    try {
      this.#request.onLog?.({ level, text })
    } catch {
      // An observer's fault is not the program's.
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#settled) return
    this.#scheduled = true
    const go = (): void => {
      this.#scheduled = false
      if (!this.#settled) this.#advance()
    }
    if (this.#busyMs < SLICE_MS) {
      queueMicrotask(go)
      return
    }
    this.#busyMs = 0
    setTimeout(go, 0)
  }

  /** Delivers what has come in, lets the guest go on until it waits, and sends out what it asked for. */
  #advance(): void {
    const { budget } = this
    const beganAt = budget.spentMs
    for (let answer = this.#desk.next(); answer !== undefined; answer = this.#desk.next()) {
      if (answer.kind === 'reply') this.#answeredStack = answer.stack
      const { id } = answer
      const delivered =
        answer.kind === 'timer' ? this.#guest.fireTimer(id) : this.#guest.settle(id, answer.text)
      if (!this.#see(delivered)) return
      if (this.#busyMs + budget.spentMs - beganAt > SLICE_MS) break
    }
    while (this.#guest.hasJobs) {
      if (!this.#see(this.#guest.runJobs())) return
      if (this.#busyMs + budget.spentMs - beganAt > SLICE_MS) break
    }
    this.#busyMs += budget.spentMs - beganAt
    this.#desk.dispatch()
    if (this.#settled) return
    if (this.#guest.hasJobs || this.#desk.hasAnswers) this.#schedule()
    else if (this.#desk.isIdle) this.#fail(this.#guest.memoryEnded ? 'memory' : 'deadlock')
  }

  /** True if the run goes on. */
  #see(seen: GuestOutcome): boolean {
    if (this.#settled) return false
    if (this.#ending !== undefined || this.budget.stopped !== undefined) {
      this.#conclude(seen)
      return false
    }
    if (seen.ok) return true
    if (seen.thrown === undefined) this.budget.stop(seen.kind)
    else this.#ending = { kind: 'thrown', failure: seen.kind, thrown: JSON.parse(seen.thrown) as Thrown }
    this.#conclude()
    return false
  }

  #conclude(seen?: GuestOutcome): void {
    const { stopped } = this.budget
    const ending = this.#ending
    if (stopped !== undefined && stopped !== 'settled') this.#fail(stopped)
    else if (ending === undefined) this.#fail(seen !== undefined && !seen.ok ? seen.kind : 'crash')
    else this.#settle(judgeEnding(ending, this.#program, this.#settings.limits, this.#ledger, this.#guest))
  }

  #fail(kind: CodeFailureKind): void {
    const { limits } = this.#settings
    const text =
      kind === 'timeout-cpu' && this.#guest.ranTooFarStraight
        ? TOO_FAR_STRAIGHT
        : kind === 'crash' && this.#clockFault !== undefined
          ? `The host's clock failed: ${this.#clockFault}`
          : failureText(kind, limits, this.#ledger.total)
    const reason = kind === 'abort' && this.#reason !== undefined ? ` ${describeError(this.#reason)}` : ''
    this.#settle({ error: { kind, message: `${text}${reason}` } })
  }

  #settle(outcome: Pick<CodeRunOutcome, 'value' | 'error'>): void {
    if (this.#settled) return
    this.#settled = true
    this.budget.stop('settled')
    this.#wall.end()
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    const notAwaited = namesOf(this.#notAwaited, this.#ending === undefined ? [] : this.#desk.unanswered)
    this.#desk.close()
    this.#resolve({
      ...outcome,
      logs: this.#ledger.logs,
      ...(notAwaited.length > 0 && { notAwaited }),
    })
    this.#desk.signalEnd()
  }
}

import type { CodeFailureKind } from '../../code-runtime.js'
import { Deadline } from '../run/deadline.js'
import type { EngineWorker } from './engine-worker.js'
import type { WorkerSettings } from './messages.js'

/** How long a worker may take to say how a run that must end has ended, before it is ended. */
const GRACE_MS = 50
/** More for one that does not compute: it is about to say so, on a machine that has other things to do. */
const MORE_GRACE_MS = 200
/** So long after its last word of it a worker is taken to compute still. */
const COMPUTING_MS = 100
/** A worker is asked this often whether it still answers, and given so much beyond `cpuMs` for it, twice. */
const PING_MS = 1000
const CPU_GRACE_MS = 1000
/** A counted millisecond is several at the most. */
const COUNTED_FACTOR = 10
const MAX_TIMER_MS = 2 ** 31 - 1

type WatchSettings = Pick<WorkerSettings, 'limits' | 'cpuClock'>

/** The one judge of whether a worker is late to end its run. */
export class WorkerWatch {
  readonly #worker: EngineWorker
  readonly #pingMs: number
  readonly #onLate: (kind: CodeFailureKind) => void
  readonly #wall: Deadline
  readonly #abortGraceMs: number
  #abort: Deadline | undefined
  #pong: Deadline | undefined
  #nextPing: ReturnType<typeof setTimeout> | undefined
  #computedAt = Number.NEGATIVE_INFINITY

  constructor(
    worker: EngineWorker,
    settings: WatchSettings,
    abortGraceMs: number | undefined,
    onLate: (kind: CodeFailureKind) => void,
  ) {
    const { limits, cpuClock } = settings
    this.#worker = worker
    this.#onLate = onLate
    // Without any nobody hears what the run came to, and the worker may as well stay.
    this.#abortGraceMs = abortGraceMs || Number.POSITIVE_INFINITY
    this.#pingMs = (cpuClock === 'counted' ? limits.cpuMs * COUNTED_FACTOR : limits.cpuMs) + CPU_GRACE_MS
    // Its own clock begins a little later, and what it says itself is worth more.
    this.#wall = this.#expect('timeout-wall', limits.wallMs + GRACE_MS, MORE_GRACE_MS, GRACE_MS)
  }

  /** Asks whether it answers. */
  ping(): void {
    this.#worker.post(['ping'])
    this.#pong = this.#expect('timeout-cpu', this.#pingMs, CPU_GRACE_MS)
  }

  /** It has answered. */
  pong(): void {
    this.#pong?.end()
    clearTimeout(this.#nextPing)
    this.#nextPing = setTimeout(() => this.ping(), PING_MS)
  }

  /** It has been told to end. */
  abort(): void {
    const graceMs = Math.min(GRACE_MS, this.#abortGraceMs / 2)
    const moreMs = Math.min(MORE_GRACE_MS, this.#abortGraceMs - graceMs)
    this.#abort = this.#expect('abort', graceMs, moreMs, graceMs)
  }

  /** It says that its program computes, and so hears nothing. */
  computes(): void {
    this.#computedAt = performance.now()
  }

  /** Milliseconds of the wall clock gone by. */
  get wallSpentMs(): number {
    return this.#wall.spentMs
  }

  /** Holds the wall clock until the answer is called. */
  holdWall(): () => void {
    return this.#wall.hold()
  }

  end(): void {
    clearTimeout(this.#nextPing)
    for (const deadline of [this.#wall, this.#abort, this.#pong]) deadline?.end()
  }

  #expect(kind: CodeFailureKind, ms: number, moreMs: number, stepMs: number = moreMs): Deadline {
    let leftMs = moreMs
    const deadline = new Deadline(Math.min(ms, MAX_TIMER_MS), () => {
      if (leftMs <= 0 || performance.now() - this.#computedAt < COMPUTING_MS) {
        this.#onLate(kind)
        return
      }
      leftMs -= stepMs
      deadline.extend(stepMs)
    })
    return deadline
  }
}

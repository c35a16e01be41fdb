import type { CodeFailureKind } from '../../code-runtime.js'

/** Fuel between two looks at the clock: a fraction of a millisecond of the engine's loops. */
export const REFILL = 50_000

// 1 000 refills take about 300 ms at the median of many programs; a poll comes after 10 microseconds or so.
const UNITS_PER_MS = 1000 / 300
const UNITS_PER_POLL = 0.03
/** What the host takes to read a byte of a message, at the most. */
const READ_MS_PER_BYTE = 20e-6

/** Thrown through the engine by the fuel check. The instance's state is undefined afterwards. */
export class HardStop extends Error {
  override readonly name: string = 'HardStop'
}

/**
 * How long the guest may compute: time inside engine calls, not time spent waiting. Once stopped it stays stopped, whatever
 * the program does with the interrupt.
 */
export class CpuBudget {
  readonly #cpuMs: number
  readonly #counted: boolean
  readonly #onLook: (() => void) | undefined
  #usedMs = 0
  #othersMs = 0
  #units = 0
  #enteredAt: number | undefined
  #stopped: CodeFailureKind | 'settled' | undefined

  /** `onLook` is called whenever the clock is looked at while the program computes: it must cost nothing to speak of. */
  constructor(cpuMs: number, counted: boolean, onLook?: () => void) {
    this.#cpuMs = cpuMs
    this.#counted = counted
    this.#onLook = onLook
  }

  get stopped(): CodeFailureKind | 'settled' | undefined {
    return this.#stopped
  }

  /** Milliseconds computed so far, by the clock or by what was counted. */
  get spentMs(): number {
    return this.#counted ? this.#units / UNITS_PER_MS : this.#usedMs + this.#stretchMs()
  }

  /** True while an engine call is on the stack. */
  get inGuest(): boolean {
    return this.#enteredAt !== undefined
  }

  /** The first reason stands. */
  stop(reason: CodeFailureKind | 'settled'): void {
    this.#stopped ??= reason
  }

  enter(): void {
    this.#enteredAt = performance.now()
  }

  leave(): void {
    this.#usedMs += this.#stretchMs()
    this.#enteredAt = undefined
    this.#judge()
  }

  /**
   * Does what is not the program's work in the middle of it: its time is not counted, until it comes to as much as the program
   * itself may take.
   */
  forOthers(work: () => void): void {
    const beganAt = performance.now()
    try {
      work()
    } finally {
      const ms = performance.now() - beganAt
      this.#othersMs += ms
      if (this.#othersMs <= this.#cpuMs && this.#enteredAt !== undefined) this.#enteredAt += ms
    }
  }

  /** Asked by the engine's own poll. */
  shouldStop(): boolean {
    this.#units += UNITS_PER_POLL
    this.#judge()
    this.#onLook?.()
    return this.#stopped !== undefined
  }

  /** Asked before the host reads so many bytes of a message: what would not end before the deadline is not begun. */
  affordsReading(bytes: number): boolean {
    const ms = bytes * READ_MS_PER_BYTE
    this.#units += ms * UNITS_PER_MS
    this.#judge(ms)
    return this.#stopped === undefined
  }

  /** The fuel is used up; `debt` is how far below zero it went. */
  count(debt: number): void {
    this.#units += 1 + Math.floor(debt / REFILL)
  }

  /** Asked when the fuel is used up, likewise. */
  tick(debt: number): void {
    this.count(debt)
    this.#judge()
    this.#onLook?.()
    if (this.#stopped !== undefined) throw new HardStop(this.#stopped)
  }

  #stretchMs(): number {
    return this.#enteredAt === undefined ? 0 : performance.now() - this.#enteredAt
  }

  #judge(aheadMs = 0): void {
    if (this.spentMs + (this.#counted ? 0 : aheadMs) > this.#cpuMs) this.stop('timeout-cpu')
  }
}

import { WaitingLine } from './waiting-line.js'

/** A place among the calls that run. Who waits for a nested call lends it the place. */
export class Slot {
  /** The nearest call around this one that holds a place with the same key. */
  readonly around: Slot | undefined
  lender: Slot | undefined
  borrower: Slot | undefined

  constructor(around: Slot | undefined) {
    this.around = around
  }
}

/**
 * So many places. A call inside one that holds a place borrows that, one at a time, so that no call waits for a place that
 * only the end of its own work could free.
 */
export class Slots {
  readonly #limit: number
  readonly #maxQueued: number
  readonly #line = new WaitingLine<Slot>()
  #taken = 0

  constructor(limit: number, maxQueued: number) {
    this.#limit = limit
    this.#maxQueued = maxQueued
  }

  get isUnused(): boolean {
    return this.#taken === 0 && this.#line.length === 0
  }

  /** A place, once there is one: `aborted` if the signal aborts before, `full` if too many wait already. */
  async enter(
    around: Slot | undefined,
    waiter: { readonly signal: AbortSignal },
  ): Promise<Slot | 'full' | 'aborted'> {
    const slot = new Slot(around)
    if (around !== undefined && around.borrower === undefined) lend(around, slot)
    else if (this.#taken < this.#limit) this.#taken++
    else if (waiter.signal.aborted) return 'aborted'
    else if (this.#line.length >= this.#maxQueued) return 'full'
    else if (!(await this.#line.join(slot, waiter.signal))) return 'aborted'
    return slot
  }

  /** Gives a place up, to the one who lent it or the one who has waited longest. */
  leave(slot: Slot): void {
    const { lender, borrower } = slot
    if (borrower !== undefined) {
      // A nested call goes on without the one around it: the place is its own now.
      borrower.lender = lender
      if (lender !== undefined) lender.borrower = borrower
    } else if (lender !== undefined) {
      lender.borrower = undefined
      const heir = this.#line.letIn(one => one.around === lender)
      if (heir !== undefined) lend(lender, heir)
    } else if (this.#line.letIn() === undefined) this.#taken--
  }
}

function lend(lender: Slot, borrower: Slot): void {
  lender.borrower = borrower
  borrower.lender = lender
}

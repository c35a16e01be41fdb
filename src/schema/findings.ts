import type { Violation } from '../errors/violation.js'

/** How far from matching a value is: another type altogether, a tag (const or enum) that differs, or something within. */
export type FaultKind = 'type' | 'tag' | 'other'

const OTHER_TYPE = 1_000_000
const OTHER_TAG = 1_000

/** Violations of one part of a schema, in order. Past its limit it only counts. */
export class Findings {
  readonly violations: Violation[] = []
  readonly #limit: number
  #count = 0
  #distance = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get count(): number {
    return this.#count
  }

  /** Nothing more is kept: what would only find more may stop. */
  get isFull(): boolean {
    return this.#count > this.#limit
  }

  /** Smaller is closer to matching: right type before right tag before few faults. */
  get distance(): number {
    return this.#distance
  }

  get isOfAnotherType(): boolean {
    return this.#distance >= OTHER_TYPE
  }

  /** `depth` is how many steps below the start of these findings the fault lies. */
  add(kind: FaultKind, depth: number, violation: () => Violation): void {
    this.#count++
    this.#distance++
    if (kind === 'type' && depth === 0) this.#distance += OTHER_TYPE
    if (kind === 'tag' && depth <= 1) this.#distance += OTHER_TAG
    if (this.#count <= this.#limit) this.violations.push(violation())
  }
}

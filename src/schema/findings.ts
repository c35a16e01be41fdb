import type { Violation } from '../errors/violation.js'

/** What is wrong at one place, before it is known whether it is worth saying. */
export interface Fault {
  /** Another type altogether, a tag (const or enum) that differs, or something else. */
  readonly kind: 'type' | 'tag' | 'other'
  /** Steps below the value that the findings are about. */
  readonly depth: number
  /** What had to stand here, if that is all there is to say: `a string`. */
  readonly expected?: string
  /** Called only if it is kept. */
  readonly violation: () => Violation
}

const OTHER_TYPE = 1_000_000
const OTHER_TAG = 1_000

/** Faults of one value against one schema, in order. Past its limit it only counts. */
export class Findings {
  readonly violations: Violation[] = []
  readonly #limit: number
  #count = 0
  #distance = 0
  #expected: string | undefined

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

  /** What had to stand in the value's place, if nothing else is wrong. */
  get expected(): string | undefined {
    return this.#count === 1 ? this.#expected : undefined
  }

  add({ kind, depth, expected, violation }: Fault): void {
    this.#count++
    this.#distance++
    if (kind === 'type' && depth === 0) this.#distance += OTHER_TYPE
    if (kind === 'tag' && depth <= 1) this.#distance += OTHER_TAG
    this.#expected = depth === 0 ? expected : undefined
    if (this.#count <= this.#limit) this.violations.push(violation())
  }
}

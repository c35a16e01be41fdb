import type { Violation } from '../errors/violation.js'

/** What is wrong at one place, before it is known whether it is worth saying. */
export interface Fault {
  /** Another type altogether, a tag (const or enum) that differs, or something else. */
  readonly kind: 'type' | 'tag' | 'other'
  /** Steps below the value that the findings are about. */
  readonly depth: number
  /** What had to stand here, if that is all there is to say: `a string`. */
  readonly expected?: string
  /** Not called for what is only counted. */
  readonly violation: () => Violation
}

const OTHER_TYPE = 1_000_000
const OTHER_TAG = 1_000

/** Different faults of one value against one schema, in order. Past its limit it only counts. */
export class Findings {
  readonly violations: Violation[] = []
  readonly #limit: number
  readonly #countTo: number
  readonly #messages = new Set<string>()
  #count = 0
  #distance = 0
  #expected: string | undefined

  constructor(limit: number, countTo: number = limit + 1) {
    this.#limit = limit
    this.#countTo = countTo
  }

  get count(): number {
    return this.#count
  }

  /** Nothing more is kept or counted: what would only find more may stop. */
  get isFull(): boolean {
    return this.#count >= this.#countTo
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

  /** What is kept and, if there are more, how many. `root` is what the value is called. */
  summary(root: string): readonly Violation[] {
    const more = this.#count - this.violations.length
    if (more === 0) return this.violations
    return [...this.violations, moreProblems(root, more, this.isFull)]
  }

  add({ kind, depth, expected, violation }: Fault): void {
    // Two references can lead to one schema, and so to one fault twice.
    const found = this.isFull ? undefined : violation()
    if (found !== undefined && this.#messages.size === this.#messages.add(found.message).size) return
    this.#count++
    this.#distance++
    if (kind === 'type' && depth === 0) this.#distance += OTHER_TYPE
    if (kind === 'tag' && depth <= 1) this.#distance += OTHER_TAG
    this.#expected = depth === 0 ? expected : undefined
    if (found !== undefined && this.#count <= this.#limit) this.violations.push(found)
  }
}

/** Says how many problems are not shown. */
export function moreProblems(root: string, count: number, orMore: boolean): Violation {
  const problems = count === 1 && !orMore ? 'problem' : 'problems'
  return { path: root, message: `and ${count} ${orMore ? 'or more ' : 'more '}${problems}` }
}

import { CallerMarks } from '../tools/caller-marks.js'
import type { ApprovalDecision } from './approval.js'

/** What an answer is about, beside the arguments. */
export interface ApprovalSubject {
  readonly registryId: string
  readonly toolName: string
  readonly scope: string
  readonly caller: unknown
}

/** Which answers to forget: those that match every field that is given. */
export interface ApprovalFilter {
  readonly toolName?: string | undefined
  readonly scope?: string | undefined
  readonly caller?: unknown
}

/** A question that is being asked. Its answer is not kept if what it is about was forgotten meanwhile. */
export interface OpenQuestion {
  readonly subject: ApprovalSubject
  forgotten: boolean
}

interface Entry {
  readonly subject: Known
  readonly decision: ApprovalDecision
}

/** A subject whose caller is only a mark, so that remembering keeps no caller alive. */
interface Known {
  readonly registryId: string
  readonly toolName: string
  readonly scope: string
  readonly caller: string
}

/** Answers by subject and digest of the arguments. Past its bound it drops what was not used for longest. */
export class ApprovalMemory {
  readonly #maxEntries: number
  // In order of use, the latest last.
  readonly #entries = new Map<string, Entry>()
  readonly #questions = new Set<OpenQuestion>()
  readonly #marks = new CallerMarks()

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#entries.size
  }

  /** The subject as text: the same for the same registry, tool, scope and caller, and for no others. */
  textOf(subject: ApprovalSubject): string {
    const { registryId, caller, scope, toolName } = this.#known(subject)
    return JSON.stringify([registryId, caller, scope, toolName])
  }

  recall(subject: ApprovalSubject, digest: string): ApprovalDecision | undefined {
    const key = this.textOf(subject) + digest
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.decision
  }

  keep(subject: ApprovalSubject, digest: string, decision: ApprovalDecision): void {
    const key = this.textOf(subject) + digest
    this.#entries.delete(key)
    this.#entries.set(key, { subject: this.#known(subject), decision })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) return
      this.#entries.delete(oldest)
    }
  }

  open(subject: ApprovalSubject): OpenQuestion {
    const question = { subject, forgotten: false }
    this.#questions.add(question)
    return question
  }

  close(question: OpenQuestion): void {
    this.#questions.delete(question)
  }

  forget({ toolName, scope, caller }: ApprovalFilter): number {
    const mark = caller === undefined ? undefined : this.#marks.of(caller)
    const matches = (known: Known): boolean =>
      (toolName === undefined || known.toolName === toolName) &&
      (scope === undefined || known.scope === scope) &&
      (mark === undefined || known.caller === mark)
    for (const question of this.#questions)
      if (matches(this.#known(question.subject))) question.forgotten = true
    let forgotten = 0
    for (const [key, { subject }] of this.#entries)
      if (matches(subject) && this.#entries.delete(key)) forgotten++
    return forgotten
  }

  #known({ registryId, toolName, scope, caller }: ApprovalSubject): Known {
    return { registryId, toolName, scope, caller: this.#marks.of(caller) }
  }
}

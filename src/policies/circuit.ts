/** What a call says of what it called. `neither`: nothing, such as a refusal or an abort. */
export type Verdict = 'works' | 'fails' | 'neither'

interface Closed {
  readonly kind: 'closed'
  failures: number
}

/** Since when no call is let through, and since when one is on trial. */
interface Open {
  readonly kind: 'open'
  readonly since: number
  trial: number | undefined
}

/** Let through, with the way to tell the outcome; or refused, for so long. */
export type Admission = { readonly report: (verdict: Verdict) => void } | { readonly retryAfterMs: number }

/** Closed while calls work. Opens after some that failed in a row; then, after a while, lets one through to see. */
export class Circuit {
  readonly #failures: number
  readonly #resetAfterMs: number
  #state: Closed | Open = { kind: 'closed', failures: 0 }
  #underWay = 0

  constructor(failures: number, resetAfterMs: number) {
    this.#failures = failures
    this.#resetAfterMs = resetAfterMs
  }

  /** True if a new circuit would do the same: it has nothing to remember, and no call that may give it something. */
  get isNew(): boolean {
    return this.#state.kind === 'closed' && this.#state.failures === 0 && this.#underWay === 0
  }

  admit(): Admission {
    const state = this.#state
    if (state.kind === 'closed') return this.#let(verdict => this.#count(state, verdict))
    const now = performance.now()
    // A trial that never ends must not keep the circuit open for ever.
    const until = (state.trial ?? state.since) + this.#resetAfterMs
    if (now < until) return { retryAfterMs: Math.ceil(until - now) }
    const trial = { ...state, trial: now }
    this.#state = trial
    return this.#let(verdict => this.#judge(trial, verdict))
  }

  #let(judge: (verdict: Verdict) => void): Admission {
    this.#underWay++
    return {
      report: verdict => {
        this.#underWay--
        judge(verdict)
      },
    }
  }

  /** A call that began before the circuit opened has no say any more. */
  #count(state: Closed, verdict: Verdict): void {
    if (this.#state !== state || verdict === 'neither') return
    state.failures = verdict === 'works' ? 0 : state.failures + 1
    if (state.failures >= this.#failures) this.#open()
  }

  #judge(trial: Open, verdict: Verdict): void {
    if (this.#state !== trial) return
    if (verdict === 'works') this.#state = { kind: 'closed', failures: 0 }
    else if (verdict === 'fails') this.#open()
    else trial.trial = undefined
  }

  #open(): void {
    this.#state = { kind: 'open', since: performance.now(), trial: undefined }
  }
}

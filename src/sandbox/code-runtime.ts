import type { JsonValue } from '../json/json-value.js'

/** Why a program did not complete. Judged by the host's own flags, never by what the guest says. */
export type CodeFailureKind =
  | 'syntax'
  | 'source-limit'
  | 'exception'
  | 'type-error'
  | 'timeout-cpu'
  | 'timeout-wall'
  | 'memory'
  | 'stack'
  | 'output-limit'
  | 'call-limit'
  | 'invalid-output'
  | 'deadlock'
  | 'abort'
  | 'crash'

/** One call that a program makes to the host. */
export interface CodeCall {
  /** The function's name inside its namespace, exactly as the program wrote it. */
  readonly name: string
  /** The positional arguments, as lossless JSON; `undefined` arguments at the end are left out. */
  readonly args: readonly JsonValue[]
  /** Fires when the run ends for any reason, or its caller aborts. */
  readonly signal: AbortSignal
  /** Stops the wall clock (not the CPU clock) while a human is being waited for. Call the answer to start it again; idempotent. */
  pauseWallClock(): () => void
  /**
   * Has the listener called, one time, when the answer has reached the program: before `run` settles. What a program ended without
   * is told as cut off. A runtime without it is taken to hand on at once what it is answered before it ends.
   */
  onTaken?(listener: () => void): void
  /**
   * What to wait for before the call starts to work: earlier answers that the program has not taken yet are about as large as its
   * memory. `undefined` where there is room. Settles at the end of the run at the latest, and never rejects. A runtime whose
   * programs compute while the host goes on needs it.
   */
  untilTaken?(): Promise<void> | undefined
}

/**
 * How the host answers a call. A failure becomes a rejection with an instance of the namespace's error class: `message`
 * is its message, each entry of `properties` an own property. A rejected promise becomes one with the rejection's message.
 */
export type CodeCallReply =
  | { readonly ok: true; readonly value?: JsonValue }
  | {
      readonly ok: false
      readonly message: string
      readonly properties?: { readonly [name: string]: JsonValue }
    }

/** A group of host functions that the program sees as one global object. */
export interface CodeNamespace {
  /** The global's name: an identifier. */
  readonly global: string
  /**
   * The functions that the object lists as own properties, by exact name, `__proto__`, `then` and `toJSON` included. What the
   * language calls by itself makes no call: `await` of the object gives it without its `then`, `JSON.stringify` gives `{}`.
   */
  readonly functions: readonly string[]
  /**
   * True if a name that is not listed is callable too, so that `call` can answer what exists. `then`, `toJSON` and the names
   * that plain objects inherit are never made up.
   */
  readonly open?: boolean
  /** UTF-8 bytes that one call's name and arguments may have as JSON; a larger one rejects with `LIMIT_EXCEEDED`. Default 16 MiB. */
  readonly maxCallBytes?: number
  /** The bytes that `call` itself lets arguments have, if those are fewer: what the rejection of a larger call names as its limit. */
  readonly maxArgumentBytes?: number
  /**
   * Name of the error class for failed calls, a global of the program; plain `Error` without it. An instance has `toolName`, the
   * function's name, and `code`, where the reply's `properties` have no others: calls that the runtime refuses itself as well.
   */
  readonly errorClass?: string
  /** Answers one call. Called in submission order; answers may come in any order. */
  call(call: CodeCall): Promise<CodeCallReply>
}

/** One line that a program printed. */
export interface CodeLog {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
}

/** One program to run. */
export interface CodeRunRequest {
  /** TypeScript as the model wrote it. */
  readonly program: string
  readonly namespaces: readonly CodeNamespace[]
  readonly signal?: AbortSignal | undefined
  /**
   * How long after an abort the outcome is of use to the caller, in milliseconds: a runtime that ends by force what does not end by
   * itself does so before. Default as long as it takes.
   */
  readonly abortGraceMs?: number | undefined
  /** Streams each line as it is printed. */
  readonly onLog?: ((log: CodeLog) => void) | undefined
}

/** What one run came to. A program's failure is data: `run` rejects only for misuse. */
export interface CodeRunOutcome {
  /** What the program returned; absent for `undefined`. */
  readonly value?: JsonValue
  /** The lines printed, `[warn] ` and `[error] ` prefixed, in order; kept when the program fails. */
  readonly logs: readonly string[]
  /** Names of calls whose answers the program never asked for (its promise was not awaited), in submission order. */
  readonly notAwaited?: readonly string[]
  /** Names of calls that the program made and that had not begun when it ended, in submission order. They do not run. */
  readonly notRun?: readonly string[]
  readonly error?: {
    readonly kind: CodeFailureKind
    /** For the model: what happened, where (line, column and a frame of its own text), and what to do differently. */
    readonly message: string
  }
}

/** Runs programs in isolation. It knows namespaces of functions, not tools. Runs may overlap; each has a state of its own. */
export interface CodeRuntime {
  /** How long calls under way may take to end once a program has, in milliseconds. Default 1 000. */
  readonly drainMs?: number
  run(request: CodeRunRequest): Promise<CodeRunOutcome>
  /** Releases what the runtime holds and aborts what runs. Idempotent. */
  dispose?(): Promise<void>
}

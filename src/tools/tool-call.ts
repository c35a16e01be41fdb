import type { JsonValue } from '../json/json-value.js'
import type { CallId, ScopeId } from './call-id.js'
import type { AdditionalContext } from './tool-result.js'

declare const tokenBrand: unique symbol

/** Stands for one running call: frozen, without properties, compared by identity. A sub-call names it as its `parent`. */
export interface ToolExecutionToken {
  readonly [tokenBrand]: true
}

/** One call as the caller hands it in. Every field is read once. */
export interface ToolExecutionInput {
  /** The model's id of the call. A missing one gets a unique id. */
  readonly callId: string
  readonly name: string
  /** The model's JSON text or a parsed value. Missing, `null`, empty or blank is `{}`. */
  readonly arguments?: unknown
  /**
   * True where the model's output ended before the call was complete (a stop reason such as `length` or `max_tokens`): the
   * call fails with `ARGUMENTS_NOT_JSON`, whatever the arguments look like. Default false.
   */
  readonly truncated?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** The scope's id; default is the scope that `execute` is called on. */
  readonly scope?: string | undefined
  /** Reaches stages, approver and tool untouched. */
  readonly caller?: unknown
  /** Token of the running call that makes this one. */
  readonly parent?: ToolExecutionToken | undefined
  /** The outermost call's id; default the parent's root, else this call's id. */
  readonly rootCallId?: string | undefined
}

/** What policies may know of a tool. */
export interface ToolInfo {
  readonly description: string
  readonly title?: string
  /** Hints; a remote server's may be wrong. */
  readonly annotations?: ToolAnnotations
  /** Milliseconds the body may run. */
  readonly timeoutMs?: number
}

/** Hints about a tool, in the words of the Model Context Protocol. They inform; they never loosen a policy. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** The immutable record of one call, the same object in every stage. */
export interface ToolCall {
  readonly token: ToolExecutionToken
  readonly callId: CallId
  readonly rootCallId: CallId
  readonly name: string
  /** Deeply frozen lossless JSON; `undefined` only where the given arguments were unusable. */
  readonly arguments: JsonValue | undefined
  readonly scope: ScopeId
  /** What the tool says of itself, as it was when the call came in; `undefined` for one that cannot be called. */
  readonly tool?: ToolInfo | undefined
  readonly caller?: unknown
  readonly parent?: ToolExecutionToken
  /** Aborts with the caller's signal or the scope's disposal. */
  readonly signal: AbortSignal
}

/** How far a tool has come. */
export interface ToolProgress {
  readonly message?: string
  readonly completed?: number
  readonly total?: number
}

/** What a tool's body gets beside its arguments: the call, and what it may tell the caller. */
export interface ToolContext extends ToolCall {
  /** Adds a context to the result; kept even if the body then throws. Throws once the call has ended. */
  deferContext(context: AdditionalContext): void
  /** Asks that the model's turn end with this call, if it succeeds. Throws once the call has ended. */
  concludeTurn(): void
  /** Emits a `progress` event. Ignored once the call has ended. */
  progress(progress: ToolProgress): void
}

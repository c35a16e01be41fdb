import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolCall, ToolProgress } from '../tools/tool-call.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'

/** A policy's word before a call runs. Arguments cannot be rewritten: what was logged, approved and shown is what runs. */
export type PreToolDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason?: string }

/** What every word on a result may say beside it. */
export interface PostToolExtras {
  /**
   * In place of the result's meta, which is for user interfaces and logs: spread `result.meta` to keep it. Beside `value` it is
   * put over what the tool makes of the new value.
   */
  readonly meta?: JsonObject
  /** After the contexts that the result has. */
  readonly additionalContexts?: readonly AdditionalContext[]
}

/** Other words for a failure. Its code and name stay, and so does what is left out. */
export interface FailureWords {
  readonly message?: string
  readonly details?: JsonObject
}

/**
 * A policy's word on a result: accept it, with other content, another value or other words for its failure, or withhold it and
 * say why. A failure stays a failure with the code that it has.
 */
export type PostToolDecision =
  | (PostToolExtras & {
      readonly kind: 'accept'
      readonly content?: readonly ContentBlock[]
      /** Of a failure only. With another message and no `content`, the model reads `Error: ` and the message. */
      readonly error?: FailureWords
      /** In place of the contexts that the result has, those of the body among them. */
      readonly ownContexts?: readonly AdditionalContext[]
      readonly value?: never
    })
  | (PostToolExtras & {
      readonly kind: 'accept'
      readonly value: JsonValue
      readonly content?: never
      readonly error?: never
      readonly ownContexts?: readonly AdditionalContext[]
    })
  | (PostToolExtras & { readonly kind: 'block'; readonly feedback: readonly ContentBlock[] })

/** The call as an around stage sees it: all fixed but the signal, which it may replace for what it wraps. */
export interface AroundCall extends Omit<ToolCall, 'signal'> {
  /** Assign another signal before `next()`; the body's then aborts with either. */
  signal: AbortSignal
  /** Hears the progress that the body reports, until the stage ends. What the listener throws is dropped. */
  onProgress(listener: (progress: ToolProgress) => void): void
}

/** Refuses a call with a reason, or abstains with `undefined`. Synchronous; asked before and again after an approval. */
export type Guard = (call: ToolCall) => string | undefined

/**
 * A part of the pipeline. Implement any of these; in an array the first stage is the outermost, and the registry's stages
 * surround those of a scope. Anything but the exact decisions fails the call closed, with `INVALID_DECISION`.
 */
export interface Stages {
  /** For messages; default the stage's place. */
  readonly name?: string
  /** Decides before the body runs; `next()` asks the stages further in, and ends in `allow`. */
  preExecute?(
    call: ToolCall,
    next: () => Promise<PreToolDecision>,
  ): PreToolDecision | Promise<PreToolDecision>
  /** Can only refuse: no later stage, and no approval, undoes it. */
  guard?(call: ToolCall): string | undefined
  /** Wraps the body; `next()` runs it, with failures already turned into results. May run it again, or not at all. */
  execute?(call: AroundCall, next: () => Promise<ToolExecutionResult>): Promise<ToolExecutionResult>
  /** Decides on the result; `next()` asks the stages further in, and ends in `accept`. */
  postExecute?(
    call: ToolCall,
    result: ToolExecutionResult,
    next: () => Promise<PostToolDecision>,
  ): PostToolDecision | Promise<PostToolDecision>
  /** Observes the frozen end result. A throw changes nothing; a promise is not awaited. */
  onResult?(call: ToolCall, result: ToolExecutionResult): unknown
}

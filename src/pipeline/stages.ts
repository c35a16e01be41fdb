import type { JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolCall, ToolProgress } from '../tools/tool-call.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'

/** A policy's word before a call runs. Arguments cannot be rewritten: what was logged, approved and shown is what runs. */
export type PreToolDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason?: string }

/** A policy's word on a result: accept it, with other content or another value, or withhold it and say why. */
export type PostToolDecision =
  | {
      readonly kind: 'accept'
      readonly content?: readonly ContentBlock[]
      readonly value?: never
      readonly additionalContexts?: readonly AdditionalContext[]
    }
  | {
      readonly kind: 'accept'
      readonly value: JsonValue
      readonly content?: never
      readonly additionalContexts?: readonly AdditionalContext[]
    }
  | {
      readonly kind: 'block'
      readonly feedback: readonly ContentBlock[]
      readonly additionalContexts?: readonly AdditionalContext[]
    }

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

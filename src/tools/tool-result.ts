import type { ToolgateErrorCode } from '../errors/error-codes.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { CallId } from './call-id.js'
import type { ContentBlock } from './content-block.js'

/** Something to tell the model beside the result, such as a reminder. The caller delivers it after the step's results. */
export interface AdditionalContext {
  /** Who says it: a tool, a stage, a policy. */
  readonly source: string
  readonly content: readonly ContentBlock[]
  readonly meta?: JsonObject
}

/** What every result has. */
export interface ResultBase {
  readonly callId: CallId
  readonly name: string
  /** What the model sees. */
  readonly content: readonly ContentBlock[]
  /** For user interfaces and logs; never for the model. */
  readonly meta?: JsonObject
  readonly additionalContexts?: readonly AdditionalContext[]
}

/** A call that did what it was asked. */
export interface ToolSuccess extends ResultBase {
  readonly isError: false
  /** The canonical value: lossless JSON, valid by the tool's output schema. */
  readonly value: JsonValue
  /** True if the tool asked that the model's turn end here. */
  readonly concludesTurn?: true
}

/** Why a call failed. */
export interface ToolFailureError {
  /** One of Toolgate's codes, or a tool's own. */
  readonly code: ToolgateErrorCode | (string & {})
  readonly name: string
  readonly message: string
  /** Data about the failure. What is no object stands under `value`. */
  readonly details?: JsonObject
}

/** A call that was refused, failed or was aborted. */
export interface ToolFailure extends ResultBase {
  readonly isError: true
  readonly error: ToolFailureError
}

/** The one, deeply frozen end of a call. */
export type ToolExecutionResult = ToolSuccess | ToolFailure

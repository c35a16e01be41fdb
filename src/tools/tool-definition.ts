import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { PresentableResult, ToolCallView, ToolResultView } from '../presentation/cards.js'
import type { Coerce } from '../schema/coerce-value.js'
import type { ParseValue } from '../schema/parsed.js'
import type { ContentBlock } from './content-block.js'
import type { ToolAnnotations, ToolCall, ToolContext, ToolInfo } from './tool-call.js'
import type { ToolExecutionResult } from './tool-result.js'

/** What a body without `output` may return: its text, content blocks, or blocks with meta. */
export type ContentToolReturn =
  | string
  | readonly ContentBlock[]
  | { readonly content: readonly ContentBlock[]; readonly meta?: JsonObject }
  | undefined
  | void

/** How a tool's canonical value is described, checked and shown. */
export interface ToolOutput {
  /** JSON Schema of the canonical value. */
  readonly schema: object
  /** Checks, and may convert, what the body returns; by default the registry's validator checks it by `schema`. */
  readonly parse?: ParseValue | undefined
  /** What the model sees of the value. */
  render(args: any, value: any): readonly ContentBlock[]
  /** The result's `meta`, for user interfaces; not computed for sub-calls. */
  presentationMeta?(args: any, value: any): JsonObject | undefined
}

/**
 * A tool as `register()` takes it. `defineTool` makes one with types, a schema language and argument validation; a plain
 * object with raw JSON Schema is one too, and says `validateArguments: true` to have its arguments checked.
 */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly annotations?: ToolAnnotations | undefined
  /** JSON Schema of the arguments, as the model sees it. */
  readonly parameters: object
  /** True: the registry's validator checks the arguments against `parameters` before the body runs. Default false. */
  readonly validateArguments?: boolean | undefined
  /**
   * True: a null for an optional property whose schema refuses null is dropped, and a string where only an object or an
   * array is accepted is parsed as JSON, before policy sees the call; the result's `meta.coercedArguments` says so. Default
   * the registry's `coerceArguments`.
   */
  readonly coerceArguments?: boolean | undefined
  readonly output?: ToolOutput | undefined
  /** How long the body may run, for `timeoutPolicy`. Milliseconds, at most 2^31 - 1. */
  readonly timeoutMs?: number | undefined
  /** The body. With `output` it returns the canonical value only. */
  execute(args: any, context: ToolContext): unknown
  /** Last word on what the model sees, for every outcome of a call; `undefined` keeps the content. Runs once. */
  finalizeContent?(
    call: ToolCall,
    result: ToolExecutionResult,
  ): readonly ContentBlock[] | undefined | Promise<readonly ContentBlock[] | undefined>
  /** True if calls with these arguments may overlap with other safe calls. Anything but `true` means exclusive. */
  isConcurrencySafe?(args: any): boolean
  /** What these arguments touch: calls with disjoint keys may overlap. Normalise the keys. */
  resourceKeys?(args: any): readonly string[]
  /** The card of a call. Pure; `undefined` means a generic card. */
  presentCall?(args: any): ToolCallView | undefined
  /** The card of a result. Pure; `undefined` means a generic card. */
  presentResult?(args: any, result: PresentableResult): ToolResultView | undefined
}

/** The frozen snapshot of a definition that a scope holds. Callbacks are bound once, when it is made. */
export interface RegisteredTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly annotations?: ToolAnnotations
  readonly parameters: JsonObject
  /** @internal What calls show of the tool. */
  readonly info: ToolInfo
  /** @internal There where the tool's arguments may be coerced. */
  readonly coerce?: Coerce
  readonly output?: RegisteredOutput
  /** @internal What a call fails with if no result can carry what the body returned; the error that says why, without it. */
  readonly unfit?: (returned: unknown, error: unknown) => unknown
  readonly timeoutMs?: number
  readonly execute: (args: JsonValue, context: ToolContext) => unknown
  readonly finalizeContent?: (call: ToolCall, result: ToolExecutionResult) => unknown
  readonly isConcurrencySafe?: (args: JsonValue) => unknown
  readonly resourceKeys?: (args: JsonValue) => unknown
  readonly presentCall?: (args: JsonValue) => ToolCallView | undefined
  readonly presentResult?: (args: JsonValue, result: PresentableResult) => ToolResultView | undefined
}

/** The output part of a `RegisteredTool`. */
export interface RegisteredOutput {
  readonly schema: JsonObject
  readonly parse: ParseValue
  readonly render: (args: JsonValue, value: JsonValue) => unknown
  readonly presentationMeta?: (args: JsonValue, value: JsonValue) => unknown
}

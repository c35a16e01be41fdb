import type { JsonValue } from '../../json/json-value.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'

/** The schema of a tool's input: a Standard Schema that prints itself. It accepts anything, as the registry is what checks. */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'toolgate'
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly types?: { readonly input: unknown; readonly output: unknown }
    readonly jsonSchema: {
      readonly input: (options: unknown) => { [keyword: string]: unknown }
      readonly output: (options: unknown) => { [keyword: string]: unknown }
    }
  }
}

/** A part of an output that is more than text. */
export type AiSdkOutputPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mediaType: string; filename?: string; data: { type: 'data'; data: string } }

/** What a model sees of a result. */
export type AiSdkOutput =
  | { type: 'text'; value: string }
  | { type: 'json'; value: JsonValue }
  | { type: 'error-text'; value: string }
  | { type: 'execution-denied'; reason: string }
  | { type: 'content'; value: AiSdkOutputPart[] }

/** One call, as the AI SDK tells of it. */
export interface AiSdkCallOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
  /** What `toolsContext` has for the tool: the call's `caller`. */
  readonly context?: unknown
}

/** A tool of the AI SDK. Its output is the result of the pipeline, failures included. */
export interface AiSdkTool {
  type: 'dynamic'
  description: string
  inputSchema: AiSdkSchema
  execute(input: unknown, options: AiSdkCallOptions): Promise<ToolExecutionResult>
  toModelOutput(options: { output: unknown }): AiSdkOutput
}

/** Tools by their names on the wire: a `ToolSet`. */
export interface AiSdkToolSet {
  [wireName: string]: AiSdkTool
}

/** What is read of a tool that was made for the AI SDK. */
export interface ForeignAiSdkTool {
  readonly description?: unknown
  readonly title?: string | undefined
  readonly inputSchema?: unknown
  readonly execute?: ((input: any, options: any) => unknown) | undefined
  readonly toModelOutput?: ((options: any) => unknown) | undefined
  readonly needsApproval?:
    | boolean
    | ((input: any, options: any) => boolean | PromiseLike<boolean>)
    | undefined
}

/** What the middleware reads and changes of a request. */
export interface AiSdkRequest {
  readonly prompt: readonly { readonly role: string }[]
  readonly tools?: readonly { readonly type: string; readonly name?: string }[] | undefined
  readonly toolChoice?: { readonly type: string; readonly toolName?: string } | undefined
}

/** A middleware for `wrapLanguageModel`. */
export interface AiSdkMiddleware {
  readonly specificationVersion: 'v4'
  transformParams<Params extends AiSdkRequest>(options: { readonly params: Params }): Promise<Params>
}

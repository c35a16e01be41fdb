import type { EventHub } from '../events/event-hub.js'
import type { JsonLimits } from '../json/json-limits.js'
import type { JsonValue } from '../json/json-value.js'
import type { Coercion } from '../schema/coerce-value.js'
import type { CallId, ScopeId } from '../tools/call-id.js'
import type { NameIndex } from '../tools/name-index.js'
import type { ToolCall, ToolExecutionToken, ToolInfo, ToolProgress } from '../tools/tool-call.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import type { CallLifetime } from './call-lifetime.js'
import type { Policy } from './policy.js'
import type { RunningCalls } from './running-calls.js'

/** A scope as the pipeline needs it. */
export interface CallScope {
  readonly id: ScopeId
  readonly disposed: boolean
  resolve(name: string): RegisteredTool | undefined
  isCollapsed(name: string): boolean
  /** The names that the scope can call, for suggestions. */
  visibleNames(): NameIndex
  policy(): Policy
}

/** What the pipeline needs of its registry. */
export interface PipelineHost {
  readonly root: CallScope
  /** Tells this registry from others. */
  readonly registryId: string
  /** The scope by its id, among `from` and those under it; `undefined` if there is none. */
  findScope(from: CallScope, id: string): CallScope | undefined
  readonly events: EventHub
  readonly running: RunningCalls
  readonly argumentLimits: JsonLimits
  readonly resultLimits: JsonLimits
  readonly abortGraceMs: number
  /** The text of a tool's error that the model may see. */
  describeError(error: unknown, call: ToolCall): string
}

/** One call under way: its immutable record, and the little that changes while it runs. */
export interface CallState {
  readonly host: PipelineHost
  readonly scope: CallScope
  readonly call: ToolCall
  readonly policy: Policy
  readonly lifetime: CallLifetime
  /** The tool when the call came in: its finaliser has the last word even if the tool is gone by then. */
  readonly tool: RegisteredTool | undefined
  /** What was changed in the arguments for the tool. */
  readonly coercions: readonly Coercion[]
  /** Where it stands among the running. */
  slot: number
  /** What the body deferred, over all attempts. */
  contexts: readonly AdditionalContext[]
  /** The tool that an approval was given for: no other may run in its place. */
  approved: RegisteredTool | undefined
  /** Around stages that want to hear of the body's progress. */
  progressListeners: readonly ((progress: ToolProgress) => void)[]
  concludesTurn: boolean
  bodyStarted: boolean
  /** Bodies that have started and not ended, those given up on among them. */
  bodiesRunning: number
  settled: boolean
}

/** A result that no post-execute stage is asked about: the call broke, or never came to policy. */
export class Final {
  readonly result: ToolExecutionResult
  constructor(result: ToolExecutionResult) {
    this.result = result
  }
}

/** A result on its way to the post-execute stages, or past them. */
export type Draft = ToolExecutionResult | Final

type CallFields = Omit<ToolCall, 'signal' | 'parent'> & { readonly parent?: ToolExecutionToken | undefined }

/** The record of one call. Its signal is joined from its sources only when it is first read. */
export class CallRecord implements ToolCall {
  readonly token: ToolExecutionToken
  readonly callId: CallId
  readonly rootCallId: CallId
  readonly name: string
  readonly arguments: JsonValue | undefined
  readonly scope: ScopeId
  readonly tool: ToolInfo | undefined
  declare readonly caller?: unknown
  declare readonly parent?: ToolExecutionToken
  readonly #lifetime: CallLifetime

  constructor(fields: CallFields, lifetime: CallLifetime) {
    this.token = fields.token
    this.callId = fields.callId
    this.rootCallId = fields.rootCallId
    this.name = fields.name
    this.arguments = fields.arguments
    this.scope = fields.scope
    this.tool = fields.tool
    if (fields.caller !== undefined) this.caller = fields.caller
    if (fields.parent !== undefined) this.parent = fields.parent
    this.#lifetime = lifetime
    Object.freeze(this)
  }

  get signal(): AbortSignal {
    return this.#lifetime.signal
  }
}

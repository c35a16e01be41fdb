import type { EventHub } from '../events/event-hub.js'
import type { CallScheduler } from '../schedule/call-scheduler.js'
import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import type { RegisteredTool, ToolDefinition } from '../tools/tool-definition.js'

/** A part of the system prompt that belongs to the tools. The caller places it; lower orders come first. */
export interface PromptSection {
  readonly id: string
  readonly order: number
  readonly text: string
}

/** What Code Mode needs of the registry it serves. */
export interface CodeModeHost {
  readonly events: EventHub
  /** UTF-8 bytes that the arguments of one call may have as JSON. */
  readonly maxArgumentBytes: number
  /** How long an aborted call is waited for. */
  readonly abortGraceMs: number
  /** The tools that a scope sees now; none for a scope that is gone. */
  visible(scope: string): readonly RegisteredTool[]
  /** True for the call of this token and for all that runs on its behalf, by tokens: ids need not be unique. */
  isWithin(call: ToolCall, token: ToolExecutionToken): boolean
  /** A scheduler for calls made in a scope. */
  scheduler(scope: string, maxParallel: number, signal: AbortSignal): CallScheduler
}

/** What a registry needs of Code Mode: its one tool, and what the model reads. */
export interface CodeModeSupport {
  /** `run_code` for this registry. */
  createTool(host: CodeModeHost): ToolDefinition
  /** What `run_code` fails with if no result can carry what it came to. */
  unfit(returned: unknown, error: unknown): unknown
  /** The prompt sections of a scope with these tools. Pure. */
  sections(tools: readonly RegisteredTool[], mode: 'code' | 'both'): readonly PromptSection[]
  /** Releases the runtime, once all calls have ended. */
  dispose(): Promise<void>
}

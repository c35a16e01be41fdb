import type { ApprovalOutcome, ApprovalRequest } from '../approvals/approval.js'
import type { JsonValue } from '../json/json-value.js'
import type { CallId, ScopeId } from '../tools/call-id.js'
import type { ToolCall, ToolProgress } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'

/** What every event about a call says of it. */
export interface CallEvent {
  readonly callId: CallId
  readonly name: string
  readonly scope: ScopeId
}

/** A call ended; `result` is the very object the caller gets. */
export interface ResultEvent extends CallEvent {
  readonly call: ToolCall
  readonly result: ToolExecutionResult
}

/** What a scope sees may have changed. */
export interface ChangeEvent {
  readonly scope: ScopeId
  readonly kind:
    | 'created'
    | 'registered'
    | 'unregistered'
    | 'restricted'
    | 'unrestricted'
    | 'mode'
    | 'disposed'
  /** The tool's name, where it is about one. */
  readonly name?: string
}

/** An approver is asked. */
export interface ApprovalAskedEvent extends CallEvent {
  readonly call: ToolCall
  readonly rootCallId: CallId
  readonly id: string
  readonly request: ApprovalRequest
}

/** An approver's answer is in; exactly one for each `approval:asked`. */
export interface ApprovalDecidedEvent extends CallEvent {
  readonly rootCallId: CallId
  readonly id: string
  readonly outcome: ApprovalOutcome
  readonly reason?: string
}

/** A Code Mode program's call starts. */
export interface SubcallStartEvent extends CallEvent {
  readonly rootCallId: CallId
  readonly parentCallId: CallId
  /** As policy sees them: coerced, where that is asked for, and frozen. `null` if they are past a limit, which ends the call. */
  readonly arguments: JsonValue
}

/** A Code Mode program's call ended; exactly one for each `subcall:start`. */
export interface SubcallEndEvent extends CallEvent {
  readonly rootCallId: CallId
  readonly parentCallId: CallId
  readonly result: ToolExecutionResult
}

/** A tool tells how far it has come. */
export interface ProgressEvent extends CallEvent, ToolProgress {}

/** A line that a program printed, or a fault that the model is not told the text of. */
export interface LogEvent extends CallEvent {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
  /** What was thrown, where a stage failed. */
  readonly error?: unknown
}

/** A body that was given up on has ended after all. */
export interface LateSettlementEvent extends CallEvent {
  readonly call: ToolCall
  readonly outcome: 'returned' | 'threw'
}

/** An observer threw or rejected; the outcome it observed stands. */
export interface ObserverErrorEvent {
  /** The event or hook that was being observed. */
  readonly event: string
  readonly error: unknown
  readonly callId?: CallId
  readonly name?: string
  readonly scope?: ScopeId
}

/** Every event of a registry and what its listeners get. */
export interface ToolgateEvents {
  result: ResultEvent
  change: ChangeEvent
  'approval:asked': ApprovalAskedEvent
  'approval:decided': ApprovalDecidedEvent
  'subcall:start': SubcallStartEvent
  'subcall:end': SubcallEndEvent
  progress: ProgressEvent
  log: LogEvent
  'late-settlement': LateSettlementEvent
  'observer-error': ObserverErrorEvent
}

/** The names of all events. */
export const EVENT_NAMES: readonly (keyof ToolgateEvents)[] = [
  'result',
  'change',
  'approval:asked',
  'approval:decided',
  'subcall:start',
  'subcall:end',
  'progress',
  'log',
  'late-settlement',
  'observer-error',
]

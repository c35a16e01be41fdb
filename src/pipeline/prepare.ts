import { quoteName, quoteWhole } from '../errors/quote-name.js'
import type { Coercion } from '../schema/coerce-value.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import { CallId, ScopeId } from '../tools/call-id.js'
import { failed } from '../tools/results.js'
import type { ToolExecutionToken } from '../tools/tool-call.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import { CallLifetime } from './call-lifetime.js'
import {
  CallRecord,
  type CallScope,
  type CallState,
  type Draft,
  Final,
  type PipelineHost,
} from './call-state.js'
import { createToken } from './call-token.js'
import { findScope } from './find-scope.js'
import { isText, type ReadInput } from './read-input.js'

/** A call that is ready for policy, or one that ended here. */
export interface Prepared {
  readonly state: CallState
  readonly refusal?: Draft | undefined
}

/** What a batch adds to each of its calls. */
export interface BatchTerms {
  /** Aborts the call beside its own signal. */
  readonly signal?: AbortSignal | undefined
  /** True for an id that another call of the batch has. */
  isDuplicate?(callId: CallId): boolean
}

const NO_TERMS: BatchTerms = {}
const NO_CONTEXTS: readonly AdditionalContext[] = []
const NO_LISTENERS: CallState['progressListeners'] = []
const NO_COERCIONS: readonly Coercion[] = []

/**
 * Turns what the caller handed in into a call: takes the frozen snapshot of its arguments, finds scope and tool, and
 * refuses what policy need not see.
 */
export function prepare(
  host: PipelineHost,
  from: CallScope,
  input: ReadInput,
  batch: BatchTerms = NO_TERMS,
): Prepared {
  const { fields, fault } = input
  const found = fault === undefined ? findScope(host, from, fields.scope) : undefined
  const scope = found ?? from
  const parentToken = fault === undefined ? (fields.parent as ToolExecutionToken | undefined) : undefined
  const parent = parentToken === undefined ? undefined : host.running.find(parentToken)
  const callId = CallId(isText(fields.callId) ? fields.callId : `call-${crypto.randomUUID()}`)
  const name = isText(fields.name) ? fields.name : ''
  const signal = fault === undefined ? (fields.signal as AbortSignal | undefined) : undefined
  const lifetime = new CallLifetime(signal, batch.signal)
  const collapsed = found !== undefined && parent === undefined && found.isCollapsed(name)
  // A collapsed tool, or one of a disposed scope, has no say in a call that cannot reach it.
  const tool = found === undefined || collapsed || scope.disposed ? undefined : found.resolve(name)
  const args = fault === undefined ? input.argumentsFor(tool) : undefined
  const call = new CallRecord(
    {
      token: createToken(),
      callId,
      rootCallId: isText(fields.rootCallId) ? CallId(fields.rootCallId) : (parent?.call.rootCallId ?? callId),
      name,
      arguments: args?.ok ? args.value : undefined,
      scope: found === undefined && typeof fields.scope === 'string' ? ScopeId(fields.scope) : scope.id,
      tool: tool?.info,
      caller: fields.caller,
      parent: parentToken,
    },
    lifetime,
  )
  const state: CallState = {
    host,
    scope,
    call,
    policy: scope.policy(),
    lifetime,
    tool,
    coercions: args?.changes ?? NO_COERCIONS,
    slot: 0,
    contexts: NO_CONTEXTS,
    approved: undefined,
    progressListeners: NO_LISTENERS,
    concludesTurn: false,
    bodyStarted: false,
    bodiesRunning: 0,
    settled: false,
  }
  host.running.add(state)
  // A call that cannot be made has its id all the same: two answers to one id would be mistaken for each other.
  const isDuplicate = batch.isDuplicate?.(callId) === true
  const refuse = (code: string, message: string, details?: unknown): Prepared => ({
    state,
    refusal: new Final(failed(call, code, message, details)),
  })

  if (fault !== undefined) return refuse('INVALID_CALL', `The call cannot be made: ${fault}`)
  if (found === undefined)
    return refuse(
      'UNKNOWN_SCOPE',
      `There is no scope ${quoteName(String(fields.scope))} here to call ${quoteName(name)} in`,
    )
  if (scope.disposed)
    return refuse('DISPOSED', `Scope "${scope.id}" was disposed; ${quoteName(name)} did not run`)
  if (parentToken !== undefined && parent === undefined)
    return refuse(
      'INVALID_PARENT',
      `The parent of the call to ${quoteName(name)} is not a call that runs in this registry`,
    )
  if (isDuplicate)
    return refuse(
      'DUPLICATE_CALL_ID',
      `Another call of this batch has the id ${quoteName(callId)}; this one to ${quoteName(name)} did not run`,
    )
  if (args !== undefined && !args.ok)
    return refuse(args.code, `Tool ${quoteName(name)} did not run: ${args.message}`, { path: args.path })
  if (lifetime.aborted)
    return refuse('ABORTED_BEFORE_DISPATCH', `The call to ${quoteName(name)} was aborted before it started`)
  if (collapsed)
    return refuse(
      'UNKNOWN_TOOL',
      `${quoteName(name)} cannot be called directly here. Call "${RUN_CODE_NAME}" with a program that calls tools[${quoteWhole(name)}](...)`,
    )
  return { state }
}

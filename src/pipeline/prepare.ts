import { describeError } from '../errors/describe-error.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import { CallId, ScopeId } from '../tools/call-id.js'
import { failed } from '../tools/results.js'
import type { ToolExecutionToken } from '../tools/tool-call.js'
import { CallLifetime } from './call-lifetime.js'
import { CallRecord, type CallScope, type CallState, type Draft, type PipelineHost } from './call-state.js'
import { readArguments } from './read-arguments.js'

const FIELDS = ['callId', 'name', 'arguments', 'signal', 'scope', 'caller', 'parent', 'rootCallId'] as const
type Fields = { readonly [K in (typeof FIELDS)[number]]?: unknown }

/** A call that is ready for policy, or one that ended here. */
export interface Prepared {
  readonly state: CallState
  readonly refusal?: Draft
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isSignal(value: unknown): value is AbortSignal {
  if (value instanceof AbortSignal) return true
  if (typeof value !== 'object' || value === null) return false
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>
  return (
    typeof aborted === 'boolean' &&
    typeof addEventListener === 'function' &&
    typeof removeEventListener === 'function'
  )
}

// Each field is read once, even when it is an accessor; one that throws spoils the call, not its neighbours.
function readFields(input: unknown): { readonly fields: Fields; readonly fault?: string } {
  if (typeof input !== 'object' || input === null) return { fields: {}, fault: 'the call must be an object' }
  const fields: { -readonly [K in keyof Fields]: unknown } = {}
  let fault: string | undefined
  for (const key of FIELDS) {
    try {
      fields[key] = (input as Fields)[key]
    } catch (error) {
      fault ??= `its ${key} could not be read: ${describeError(error)}`
    }
  }
  return fault === undefined ? { fields } : { fields, fault }
}

function fieldFault({ callId, name, signal, scope, parent, rootCallId }: Fields): string | undefined {
  if (callId !== undefined && !isText(callId)) return 'its callId must be a non-empty string'
  if (!isText(name)) return 'its name must be a non-empty string'
  if (signal !== undefined && !isSignal(signal)) return 'its signal must be an AbortSignal'
  if (scope !== undefined && typeof scope !== 'string') return 'its scope must be the id of a scope'
  if (parent !== undefined && (typeof parent !== 'object' || parent === null))
    return 'its parent must be the token of a running call'
  if (rootCallId !== undefined && !isText(rootCallId)) return 'its rootCallId must be a non-empty string'
  return undefined
}

const createToken = (): ToolExecutionToken => Object.freeze(Object.create(null)) as ToolExecutionToken

function refuse(state: CallState, code: string, message: string, details?: unknown): Prepared {
  return { state, refusal: { result: failed(state.call, code, message, details), final: true } }
}

function findScope(host: PipelineHost, from: CallScope, id: unknown): CallScope | undefined {
  return id === undefined || id === from.id ? from : host.findScope(from, id as string)
}

/**
 * Turns what the caller handed in into a call: reads it once, checks it, takes the frozen snapshot of its arguments,
 * finds scope and tool, and refuses what policy need not see.
 */
export function prepare(host: PipelineHost, from: CallScope, input: unknown): Prepared {
  const { fields, fault: unreadable } = readFields(input)
  const fault = unreadable ?? fieldFault(fields)
  const found = fault === undefined ? findScope(host, from, fields.scope) : undefined
  const scope = found ?? from
  const parentToken = fault === undefined ? (fields.parent as ToolExecutionToken | undefined) : undefined
  const parent = parentToken === undefined ? undefined : host.running.find(parentToken)
  const signal = isSignal(fields.signal) ? fields.signal : undefined
  const callId = CallId(isText(fields.callId) ? fields.callId : `call-${crypto.randomUUID()}`)
  const args = fault === undefined ? readArguments(fields.arguments, host.argumentLimits) : undefined
  const lifetime = new CallLifetime(signal)
  const name = isText(fields.name) ? fields.name : ''
  const collapsed = found !== undefined && parentToken === undefined && found.isCollapsed(name)
  const call = new CallRecord(
    {
      token: createToken(),
      callId,
      rootCallId: isText(fields.rootCallId) ? CallId(fields.rootCallId) : (parent?.call.rootCallId ?? callId),
      name,
      arguments: args?.ok ? args.value : undefined,
      scope: found === undefined && typeof fields.scope === 'string' ? ScopeId(fields.scope) : scope.id,
      caller: fields.caller,
      ...(parentToken !== undefined && { parent: parentToken }),
    },
    lifetime,
  )
  const state: CallState = {
    host,
    scope,
    call,
    policy: scope.policy(),
    lifetime,
    // A collapsed tool has no say in a call that cannot reach it.
    tool: found === undefined || collapsed ? undefined : found.resolve(name),
    contexts: [],
    made: new Set(),
    concludesTurn: false,
    bodyStarted: false,
    settled: false,
  }
  host.running.add(state)

  if (fault !== undefined) return refuse(state, 'INVALID_CALL', `The call cannot be made: ${fault}`)
  if (found === undefined)
    return refuse(
      state,
      'UNKNOWN_SCOPE',
      `There is no scope ${JSON.stringify(fields.scope)} to call "${name}" in`,
    )
  if (scope.disposed)
    return refuse(state, 'DISPOSED', `Scope "${scope.id}" was disposed; "${name}" did not run`)
  if (parentToken !== undefined && parent === undefined)
    return refuse(
      state,
      'INVALID_PARENT',
      `The parent of the call to "${name}" is not a call running in this registry`,
    )
  if (args !== undefined && !args.ok)
    return refuse(state, args.code, `Tool "${name}" did not run: ${args.message}`, { path: args.path })
  if (lifetime.aborted)
    return refuse(state, 'ABORTED_BEFORE_DISPATCH', `The call to "${name}" was aborted before it started`)
  if (collapsed)
    return refuse(
      state,
      'UNKNOWN_TOOL',
      `"${name}" cannot be called directly here. Call "${RUN_CODE_NAME}" with a program that calls tools[${JSON.stringify(name)}](...)`,
    )
  return { state }
}

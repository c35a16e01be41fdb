import { ToolNotFoundError } from '../errors/errors.js'
import { listedName, quoteName } from '../errors/quote-name.js'
import { didYouMean } from '../tools/nearest-names.js'
import { failed, failureError, failureResult } from '../tools/results.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallLifetime } from './call-lifetime.js'
import type { CallState } from './call-state.js'
import { abortedCall, toolFailure } from './failures.js'
import { materialize } from './materialize.js'
import { isPending, type Pending } from './pending.js'
import { usable } from './read-arguments.js'
import { type BodyOutcome, runBody } from './run-body.js'

/** The result of a call to a name that the scope does not see, with the nearest names that it does. */
export function unknownTool(state: CallState): ToolExecutionResult {
  const { call, scope } = state
  const visible = scope.visibleNames()
  const { names } = visible
  const known = names.length <= 20 ? ` Available: ${names.map(listedName).join(', ') || 'none'}.` : ''
  const hint = didYouMean(call.name, visible) || known
  return failureResult(
    call,
    failureError(new ToolNotFoundError(`There is no tool ${quoteName(call.name)} here.${hint}`)),
  )
}

/** Stages and guards were asked about a name that no tool had. */
function lateTool({ call }: CallState): ToolExecutionResult {
  const message = `There was no tool ${quoteName(call.name)} here when the call came in. There is one now, about which no policy was asked: it did not run. Call it again`
  return failureResult(call, failureError(new ToolNotFoundError(message)))
}

/** What was approved is what runs: not another tool that took its name meanwhile. */
function replacedTool({ call, bodyStarted }: CallState): ToolExecutionResult {
  const effect = bodyStarted ? 'the new one did not run' : 'it did not run'
  const message = `Tool ${quoteName(call.name)} was replaced after the call was approved; ${effect}. Call it again if it is still wanted`
  return failed(call, 'APPROVAL_CANCELLED', message)
}

const aborted = ({ call }: CallState): ToolExecutionResult =>
  failed(call, 'ABORTED', `Tool ${quoteName(call.name)} was aborted`, { bodyStopped: true })

/** A body that ends with the abort's own reason, or the platform's error for it, has done as it was told. */
function obeyed(error: unknown, lifetime: CallLifetime): boolean {
  if (!lifetime.aborted) return false
  try {
    return error === lifetime.reason || (error as { name?: unknown } | null)?.name === 'AbortError'
  } catch {
    return false
  }
}

function conclude(
  state: CallState,
  tool: RegisteredTool,
  lifetime: CallLifetime,
  outcome: BodyOutcome,
): Pending<ToolExecutionResult> {
  const { call, host } = state
  if (outcome.kind === 'threw')
    return obeyed(outcome.error, lifetime) ? aborted(state) : toolFailure(state, outcome.error)
  if (outcome.kind === 'abandoned') {
    const message = `Tool ${quoteName(call.name)} was aborted and had not stopped ${host.abortGraceMs} ms later; it may still be running`
    return failed(call, 'ABORTED', message, { bodyStopped: false })
  }
  if (lifetime.aborted) return aborted(state)
  const { value } = outcome
  const unfit = (error: unknown): ToolExecutionResult =>
    toolFailure(state, tool.unfit === undefined ? error : tool.unfit(value, error))
  try {
    const made = materialize(state, tool, value)
    return isPending(made) ? made.catch(unfit) : made
  } catch (error) {
    return unfit(error)
  }
}

/**
 * Runs the tool's body: validated arguments in, a checked and rendered result out. Whatever goes wrong is a result too.
 * `lifetime` is the call's, or what the innermost around stage made of it.
 */
export function dispatch(state: CallState, lifetime: CallLifetime): Pending<ToolExecutionResult> {
  if (lifetime.aborted) return abortedCall(state)
  const { call } = state
  const tool = state.scope.resolve(call.name)
  // It may have come while policy was asked, and one that came then is not called directly either.
  const isCollapsed = call.parent === undefined && state.scope.isCollapsed(call.name)
  if (tool === undefined || isCollapsed) return unknownTool(state)
  if (state.tool === undefined) return lateTool(state)
  if (state.approved !== undefined && state.approved !== tool) return replacedTool(state)

  return runBody(state, tool, usable(call.arguments), lifetime, outcome =>
    conclude(state, tool, lifetime, outcome),
  )
}

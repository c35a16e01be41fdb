import { ToolNotFoundError } from '../errors/errors.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { didYouMean } from '../tools/nearest-names.js'
import { failed, failureError, failureResult } from '../tools/results.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { joinSignals } from './join-signals.js'
import { materialize } from './materialize.js'
import { usable } from './read-arguments.js'
import { runBody } from './run-body.js'
import { BodyContext } from './tool-context.js'

/** The result of a call to a name that the scope does not see, with the nearest names that it does. */
export function unknownTool(state: CallState): ToolExecutionResult {
  const { call, scope } = state
  const names = scope.visibleNames()
  const known = names.length <= 20 ? ` Available: ${names.join(', ') || 'none'}.` : ''
  const hint = didYouMean(call.name, names) || known
  return failureResult(
    call,
    failureError(new ToolNotFoundError(`There is no tool "${call.name}" here.${hint}`)),
  )
}

function bodyFailure(
  { call, host }: CallState,
  error: unknown,
  aborted: boolean,
  reason: unknown,
): ToolExecutionResult {
  if (aborted && (error === reason || (error as { name?: unknown } | null)?.name === 'AbortError'))
    return failed(call, 'ABORTED', `Tool "${call.name}" was aborted`, { bodyStopped: true })
  if (ToolgateError.isInstance(error)) return failureResult(call, failureError(error))
  return failed(call, 'TOOL_FAILED', host.describeError(error, call))
}

/**
 * Runs the tool's body: validated arguments in, a checked and rendered result out. Whatever goes wrong is a result too.
 * `replaced` is the signal an around stage put in place of the call's own.
 */
export async function dispatch(
  state: CallState,
  replaced: AbortSignal | undefined,
): Promise<ToolExecutionResult> {
  const { call, lifetime } = state
  const stopped = (): boolean => lifetime.aborted || replaced?.aborted === true
  if (stopped())
    return failed(
      call,
      'ABORTED_BEFORE_DISPATCH',
      `The call to "${call.name}" was aborted before the tool ran`,
    )
  const tool = state.scope.resolve(call.name)
  if (tool === undefined) return unknownTool(state)

  const joined = replaced === undefined ? undefined : joinSignals(replaced, lifetime)
  const context = new BodyContext(state, () => joined?.signal() ?? lifetime.signal)
  state.bodyStarted = true
  try {
    const outcome = await runBody(state, tool, usable(call.arguments), context, replaced)
    const reason = replaced?.aborted ? replaced.reason : lifetime.reason
    if (outcome.kind === 'threw') return bodyFailure(state, outcome.error, stopped(), reason)
    if (outcome.kind === 'abandoned') {
      const message = `Tool "${call.name}" was aborted and had not stopped ${state.host.abortGraceMs} ms later; it may still be running`
      return failed(call, 'ABORTED', message, { bodyStopped: false })
    }
    if (stopped()) return failed(call, 'ABORTED', `Tool "${call.name}" was aborted`, { bodyStopped: true })
    return await materialize(state, tool, outcome.value)
  } catch (error) {
    return bodyFailure(state, error, false, undefined)
  } finally {
    joined?.release()
  }
}

import { describeError } from '../errors/describe-error.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { failed, failureError, failureResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import type { CallState, Draft } from './call-state.js'

/** What a tool, its schema or its renderer threw, as a result: a coded error keeps its code. */
export function toolFailure({ call, host }: CallState, error: unknown): ToolExecutionResult {
  if (ToolgateError.isInstance(error)) return failureResult(call, failureError(error))
  return failed(call, 'TOOL_FAILED', host.describeError(error, call))
}

/** A stage threw. A coded error keeps its code; of any other the model learns only that it happened, and a `log` event the rest. */
export function stageFailure(
  state: CallState,
  stage: string,
  hook: string,
  error: unknown,
  effect: string,
): Draft {
  const { call, host } = state
  if (ToolgateError.isInstance(error))
    return { result: failureResult(call, failureError(error)), final: true }
  const { callId, name, scope } = call
  const text = `Stage "${stage}" (${hook}) threw: ${describeError(error)}`
  host.events.emit('log', { callId, name, scope, level: 'error', text, error })
  const message = `Stage "${stage}" (${hook}) failed on "${name}"; ${effect}`
  return { result: failed(call, 'STAGE_FAILED', message, { stage, hook }), final: true }
}

/** A stage answered outside its contract. */
export function invalidDecision(
  state: CallState,
  stage: string,
  hook: string,
  fault: string,
  effect: string,
): Draft {
  const message = `Stage "${stage}" (${hook}) gave no usable answer on "${state.call.name}": it ${fault}; ${effect}`
  return { result: failed(state.call, 'INVALID_DECISION', message, { stage, hook }), final: true }
}

/** Why nothing ran, for messages. */
export const NOT_RUN = 'the tool did not run'

/** The call was aborted before its body started; final where the stages are what did not end. */
export function abortedBeforeDispatch(
  { call }: CallState,
  final = false,
  contexts?: readonly AdditionalContext[],
): Draft {
  const message = `The call to "${call.name}" was aborted before the tool ran`
  return { result: failed(call, 'ABORTED_BEFORE_DISPATCH', message, undefined, { contexts }), final }
}

/** The call was aborted, and a stage or the tool's own last word did not end in time. */
export function abandonedStage(state: CallState, what: string): Draft {
  if (!state.bodyStarted) return abortedBeforeDispatch(state, true)
  const message = `The call to "${state.call.name}" was aborted and ${what} had not ended ${state.host.abortGraceMs} ms later`
  return { result: failed(state.call, 'ABORTED', message, { bodyStopped: false }), final: true }
}

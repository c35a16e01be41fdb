import { describeError } from '../errors/describe-error.js'
import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { failed, failureError, failureResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import { type CallState, Final } from './call-state.js'
import type { Pending } from './pending.js'

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
): Final {
  const { call, host } = state
  if (ToolgateError.isInstance(error)) return new Final(failureResult(call, failureError(error)))
  const { callId, name, scope } = call
  const text = `Stage "${stage}" (${hook}) threw: ${describeError(error)}`
  host.events.emit('log', { callId, name, scope, level: 'error', text, error })
  const message = `Stage "${stage}" (${hook}) failed on ${quoteName(name)}; ${effect}`
  return new Final(failed(call, 'STAGE_FAILED', message, { stage, hook }))
}

/** The pipeline itself broke. */
export const brokenPipeline = (state: CallState, error: unknown): Final =>
  stageFailure(state, 'pipeline', 'execute', error, 'its outcome is not known')

/** A step of the pipeline, or a failure in place of what broke it: a batch must not hang on one call. */
export async function contained<T>(state: CallState, step: () => Pending<T>): Promise<T | Final> {
  try {
    return await step()
  } catch (error) {
    return brokenPipeline(state, error)
  }
}

/** A stage answered outside its contract. */
export function invalidDecision(
  state: CallState,
  stage: string,
  hook: string,
  fault: string,
  effect: string,
): Final {
  const message = `Stage "${stage}" (${hook}) gave no usable answer on ${quoteName(state.call.name)}: it ${fault}; ${effect}`
  return new Final(failed(state.call, 'INVALID_DECISION', message, { stage, hook }))
}

/** Why nothing ran, for messages. */
export const NOT_RUN = 'the tool did not run'

/** The call was aborted: before its body started, or between two attempts at it. */
export function abortedCall(
  { call, bodyStarted, bodiesRunning }: CallState,
  contexts?: readonly AdditionalContext[],
): ToolExecutionResult {
  const name = quoteName(call.name)
  if (!bodyStarted)
    return failed(
      call,
      'ABORTED_BEFORE_DISPATCH',
      `The call to ${name} was aborted before the tool ran`,
      undefined,
      { contexts },
    )
  const bodyStopped = bodiesRunning === 0
  const end = bodyStopped ? 'the tool had ended' : 'the tool may still be running'
  return failed(call, 'ABORTED', `The call to ${name} was aborted; ${end}`, { bodyStopped }, { contexts })
}

/** The refusal of a call that an abort has overtaken. */
export const overtaken = (state: CallState): ToolExecutionResult | undefined =>
  state.lifetime.aborted ? abortedCall(state) : undefined

/** The call was aborted, and a stage or the tool's own last word did not end in time. */
export function abandonedStage(state: CallState, what: string): Final {
  if (!state.bodyStarted) return new Final(abortedCall(state))
  const message = `The call to ${quoteName(state.call.name)} was aborted and ${what} had not ended ${state.host.abortGraceMs} ms later`
  return new Final(failed(state.call, 'ABORTED', message, { bodyStopped: state.bodiesRunning === 0 }))
}

import { ToolgateError } from '../errors/toolgate-error.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonObject } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { type ContentBlock, contentFault, contentText } from '../tools/content-block.js'
import { failureError, failureResult, successResult } from '../tools/results.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolExecutionResult, ToolFailureError } from '../tools/tool-result.js'
import type { CallState, Draft } from './call-state.js'
import { CallView } from './call-view.js'
import { copyContexts } from './decisions.js'
import { dispatch, unknownTool } from './dispatch.js'
import { abandonedStage, invalidDecision, NOT_RUN, stageFailure } from './failures.js'
import { materialize } from './materialize.js'
import { isSignal } from './read-input.js'
import { StageNext } from './stage-next.js'
import type { AroundCall } from './stages.js'
import { withinGrace } from './within-grace.js'

/** How long stages may take to unwind once the body's grace is over. */
const UNWIND_MS = 250

/** The call as one around stage sees it. Only the signal can be set. */
class Around extends CallView implements AroundCall {
  readonly #call: ToolCall
  #signal: AbortSignal | undefined

  constructor(call: ToolCall, signal: AbortSignal | undefined) {
    super(call)
    this.#call = call
    this.#signal = signal
    Object.freeze(this)
  }
  get signal(): AbortSignal {
    return this.#signal ?? this.#call.signal
  }
  set signal(signal: AbortSignal) {
    if (!isSignal(signal))
      throw new ToolgateError(
        'INVALID_DECISION',
        'A stage may replace call.signal only by another AbortSignal',
      )
    this.#signal = signal
  }
  /** The signal that the stage put in place of the call's own, if it did. */
  static replaced(call: Around): AbortSignal | undefined {
    return call.#signal
  }
}

interface AuthoredFields {
  readonly [field: string]: unknown
}

const isRecord = (value: unknown): value is AuthoredFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A failure that a stage wrote itself keeps its error, content, meta and contexts, once they are checked. */
function authoredFailure(state: CallState, fields: AuthoredFields): ToolExecutionResult | string {
  const copy = trySnapshot(fields.error, DEFAULT_JSON_LIMITS, 'error')
  if (!copy.ok) return `returned a failure whose ${copy.message}`
  const error = copy.value as unknown as ToolFailureError
  if (!isRecord(error) || typeof error.code !== 'string' || typeof error.message !== 'string')
    return 'returned a failure without error.code and error.message'
  const contexts =
    fields.additionalContexts === undefined
      ? []
      : copyContexts(fields.additionalContexts, 'additionalContexts')
  if (typeof contexts === 'string') return contexts
  const content =
    fields.content === undefined ? undefined : trySnapshot(fields.content, state.host.resultLimits, 'content')
  if (content?.ok === false) return `returned a failure whose ${content.message}`
  const fault = content === undefined ? undefined : contentFault(content.value, 'content')
  if (fault !== undefined) return `returned a failure whose ${fault}`
  const meta =
    fields.meta === undefined ? undefined : trySnapshot(fields.meta, state.host.resultLimits, 'meta')
  if (meta?.ok === false || (meta !== undefined && !isRecord(meta.value)))
    return 'returned a failure whose meta is no JSON object'
  return failureResult(
    state.call,
    Object.freeze({ ...error, name: typeof error.name === 'string' ? error.name : 'Error' }),
    {
      meta: meta?.value as JsonObject | undefined,
      contexts,
      ...(content !== undefined && { content: content.value as unknown as readonly ContentBlock[] }),
    },
  )
}

/** A success that a stage wrote itself is made anew: its value checked by the tool's schema and rendered by the tool. */
async function authoredSuccess(
  state: CallState,
  fields: AuthoredFields,
): Promise<ToolExecutionResult | string> {
  const tool = state.scope.resolve(state.call.name)
  if (tool === undefined) return unknownTool(state)
  const contexts =
    fields.additionalContexts === undefined
      ? []
      : copyContexts(fields.additionalContexts, 'additionalContexts')
  if (typeof contexts === 'string') return contexts
  const returned =
    tool.output === undefined && fields.content !== undefined ? { content: fields.content } : fields.value
  try {
    const made = await materialize(state, tool, returned)
    const concludesTurn = fields.concludesTurn === true
    return successResult(state.call, made.value, made.content, { meta: made.meta, contexts, concludesTurn })
  } catch (error) {
    return failureResult(state.call, failureError(error as ToolgateError))
  }
}

/** A result from a stage: one that this dispatch made is taken as it is, any other is checked like a tool's. */
async function accept(state: CallState, stage: string, answer: unknown): Promise<Draft> {
  if (state.made.includes(answer as ToolExecutionResult))
    return { result: answer as ToolExecutionResult, final: false }
  const effect = 'its result is not used'
  try {
    if (!isRecord(answer)) return invalidDecision(state, stage, 'execute', 'returned no result', effect)
    const { isError, value, content, error, meta, additionalContexts, concludesTurn } = answer
    const fields = { value, content, error, meta, additionalContexts, concludesTurn }
    if (isError !== true && isError !== false)
      return invalidDecision(state, stage, 'execute', 'returned a result without isError', effect)
    const result = isError ? authoredFailure(state, fields) : await authoredSuccess(state, fields)
    if (typeof result === 'string') return invalidDecision(state, stage, 'execute', result, effect)
    state.made.push(result)
    return { result, final: false }
  } catch {
    return invalidDecision(state, stage, 'execute', 'returned a result that cannot be read', effect)
  }
}

/** Runs the around stages, outermost first, with dispatch innermost. What a stage throws ends the call. */
export async function runAround(state: CallState): Promise<Draft> {
  const { around } = state.policy
  if (around.length === 0) return { result: await dispatch(state, undefined), final: false }
  // A body has the whole grace to itself before the stages around it are given up on.
  return withinGrace(
    state,
    enterStages(state),
    () => abandonedStage(state, 'a stage around the tool'),
    UNWIND_MS,
  )
}

async function enterStages(state: CallState): Promise<Draft> {
  const { around } = state.policy
  // A throw travels outwards through every stage that lets it: it is the innermost one's failure.
  let failure: { readonly draft: Draft; readonly thrown: unknown } | undefined
  const enter = async (index: number, signal: AbortSignal | undefined): Promise<ToolExecutionResult> => {
    const stage = around[index]
    if (stage === undefined) {
      const made = await dispatch(state, signal)
      state.made.push(made)
      return made
    }
    const call = new Around(state.call, signal)
    const next = new StageNext(() => enter(index + 1, Around.replaced(call)))
    let answer: unknown
    try {
      answer = await stage.run(call, next.call)
    } catch (error) {
      const effect = state.bodyStarted ? 'the tool had started' : NOT_RUN
      if (failure?.thrown !== error)
        failure = { draft: stageFailure(state, stage.name, 'execute', error, effect), thrown: error }
      throw error
    } finally {
      next.end()
    }
    const accepted = await accept(state, stage.name, answer)
    if (!accepted.final) return accepted.result
    const thrown = new ToolgateError('INVALID_DECISION', contentText(accepted.result.content))
    failure = { draft: accepted, thrown }
    throw thrown
  }
  try {
    const result = await enter(0, undefined)
    return { result, final: false }
  } catch (error) {
    return failure?.draft ?? stageFailure(state, 'pipeline', 'execute', error, 'its outcome is not known')
  }
}

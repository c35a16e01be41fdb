import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { contentText } from '../tools/content-block.js'
import { failed, failureError, failureResult, successResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult, ToolFailure } from '../tools/tool-result.js'
import { askStages } from './ask-stages.js'
import { type CallState, Final } from './call-state.js'
import { ACCEPT, parsePostDecision } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { abandonedStage, invalidDecision, toolFailure } from './failures.js'
import { materialize } from './materialize.js'
import type { FailureWords, PostToolDecision, Stages } from './stages.js'
import { withinGrace } from './within-grace.js'

type PostStage = NonNullable<Stages['postExecute']>

const WITHHELD = 'the result is withheld'
const NO_FEEDBACK = 'The result was withheld by policy'

/** A result with contexts after its own. */
function withContexts(result: ToolExecutionResult, added: readonly AdditionalContext[]): ToolExecutionResult {
  if (added.length === 0) return result
  const contexts = [...(result.additionalContexts ?? []), ...added]
  return Object.freeze({ ...result, additionalContexts: Object.freeze(contexts) })
}

async function replaceValue(
  state: CallState,
  result: ToolExecutionResult,
  value: unknown,
): Promise<ToolExecutionResult | string> {
  if (result.isError) return 'replaced the value of a failed result'
  if (value === undefined)
    return failed(
      state.call,
      'INVALID_TOOL_OUTPUT',
      `The value that replaced the result of ${quoteName(state.call.name)} is undefined`,
    )
  const tool = state.scope.resolve(state.call.name)
  if (tool === undefined) return unknownTool(state)
  try {
    const made = await materialize(state, tool, value)
    const { additionalContexts: contexts, concludesTurn } = result
    return successResult(state.call, made.value, made.content, { meta: made.meta, contexts, concludesTurn })
  } catch (error) {
    return withContexts(toolFailure(state, error), result.additionalContexts ?? [])
  }
}

/** A result with the contexts that a stage put in place of its own. */
function withOwnContexts(
  result: ToolExecutionResult,
  contexts: readonly AdditionalContext[] | undefined,
): ToolExecutionResult {
  if (contexts === undefined) return result
  const { additionalContexts: _gone, ...rest } = result
  return contexts.length === 0
    ? (Object.freeze(rest) as ToolExecutionResult)
    : (Object.freeze({ ...rest, additionalContexts: contexts }) as ToolExecutionResult)
}

/** A failure in other words: its code, its name and that it is one stay. */
function reworded(result: ToolFailure, words: FailureWords): ToolFailure {
  const error = Object.freeze({ ...result.error, ...words })
  if (words.message === undefined) return Object.freeze({ ...result, error })
  return Object.freeze({ ...result, error, content: failureResult(result, error).content })
}

/** A result as a stage accepts it, or what is wrong with that. */
function accepted(
  result: ToolExecutionResult,
  { content, error, meta }: Extract<PostToolDecision, { kind: 'accept' }>,
): ToolExecutionResult | string {
  if (error !== undefined && !result.isError) return 'replaced the error of a successful result'
  const named = error !== undefined && result.isError ? reworded(result, error) : result
  if (content === undefined && meta === undefined) return named
  return Object.freeze({
    ...named,
    ...(content !== undefined && { content }),
    ...(meta !== undefined && { meta }),
  })
}

async function apply(
  state: CallState,
  result: ToolExecutionResult,
  decision: PostToolDecision,
): Promise<ToolExecutionResult | string> {
  const { additionalContexts = [], meta } = decision
  if (decision.kind === 'block') {
    const { feedback } = decision
    const message = contentText(feedback) || NO_FEEDBACK
    const error = failureError(new ToolgateError('BLOCKED', message))
    const content = feedback.length > 0 ? { content: feedback } : {}
    return failureResult(state.call, error, { ...content, meta, contexts: additionalContexts })
  }
  const own = withOwnContexts(result, decision.ownContexts)
  if (!('value' in decision)) {
    const shown = accepted(own, decision)
    return typeof shown === 'string' ? shown : withContexts(shown, additionalContexts)
  }
  const replaced = await replaceValue(state, own, decision.value)
  if (typeof replaced === 'string') return replaced
  const told =
    meta === undefined
      ? replaced
      : Object.freeze({ ...replaced, meta: Object.freeze({ ...replaced.meta, ...meta }) })
  return withContexts(told, additionalContexts)
}

async function decideOn(state: CallState, result: ToolExecutionResult): Promise<ToolExecutionResult> {
  const { policy, host, call } = state
  const decision = await askStages<PostStage, PostToolDecision>(state, {
    name: 'postExecute',
    stages: policy.postExecute,
    end: ACCEPT,
    ask: (stage, next) => stage(call, result, next),
    parse: answer => parsePostDecision(answer, host.resultLimits),
    effect: WITHHELD,
  })
  if (decision === ACCEPT) return result
  if (decision instanceof Final) return decision.result
  const applied = await apply(state, result, decision)
  if (typeof applied !== 'string') return applied
  const outermost = policy.postExecute[0]?.name ?? 'pipeline'
  return invalidDecision(state, outermost, 'postExecute', applied, WITHHELD).result
}

/**
 * Asks the post-execute stages about a result and does what the outermost says. A broken one withholds the result, and so
 * does one that has not answered when the grace after an abort is over.
 */
export function postExecute(state: CallState, result: ToolExecutionResult): Promise<ToolExecutionResult> {
  return withinGrace(
    state,
    decideOn(state, result),
    () => abandonedStage(state, 'a post-execute stage').result,
  )
}

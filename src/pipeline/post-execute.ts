import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { contentText } from '../tools/content-block.js'
import { failed, failureError, failureResult, successResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import { askStages } from './ask-stages.js'
import { type CallState, Final } from './call-state.js'
import { ACCEPT, parsePostDecision } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { abandonedStage, invalidDecision, toolFailure } from './failures.js'
import { materialize } from './materialize.js'
import type { PostToolDecision, Stages } from './stages.js'
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

async function apply(
  state: CallState,
  result: ToolExecutionResult,
  decision: PostToolDecision,
): Promise<ToolExecutionResult | string> {
  const { additionalContexts = [] } = decision
  if (decision.kind === 'block') {
    const { feedback } = decision
    const message = contentText(feedback) || NO_FEEDBACK
    const error = failureError(new ToolgateError('BLOCKED', message))
    const content = feedback.length > 0 ? { content: feedback } : {}
    return failureResult(state.call, error, { ...content, contexts: additionalContexts })
  }
  if ('value' in decision) {
    const replaced = await replaceValue(state, result, decision.value)
    return typeof replaced === 'string' ? replaced : withContexts(replaced, additionalContexts)
  }
  const shown =
    decision.content === undefined ? result : Object.freeze({ ...result, content: decision.content })
  return withContexts(shown, additionalContexts)
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

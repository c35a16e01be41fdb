import { ToolgateError } from '../errors/toolgate-error.js'
import { contentText } from '../tools/content-block.js'
import { failed, failureError, failureResult, successResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult } from '../tools/tool-result.js'
import type { CallState, Draft } from './call-state.js'
import { ACCEPT, parsePostDecision } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { abandonedStage, invalidDecision, stageFailure } from './failures.js'
import { materialize } from './materialize.js'
import { StageNext } from './stage-next.js'
import type { PostToolDecision } from './stages.js'
import { withinGrace } from './within-grace.js'

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
      `The value that replaced the result of "${state.call.name}" is undefined`,
    )
  const tool = state.scope.resolve(state.call.name)
  if (tool === undefined) return unknownTool(state)
  try {
    const made = await materialize(state, tool, value)
    const { additionalContexts: contexts, concludesTurn } = result
    return successResult(state.call, made.value, made.content, { meta: made.meta, contexts, concludesTurn })
  } catch (error) {
    return failureResult(state.call, failureError(error as ToolgateError), {
      contexts: result.additionalContexts,
    })
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

/**
 * Asks the post-execute stages about a result and does what the outermost says. A broken one withholds the result, and so
 * does one that has not answered when the grace after an abort is over.
 */
export async function postExecute(
  state: CallState,
  result: ToolExecutionResult,
): Promise<ToolExecutionResult> {
  if (state.policy.postExecute.length === 0) return result
  return withinGrace(
    state,
    askStages(state, result),
    () => abandonedStage(state, 'a post-execute stage').result,
  )
}

async function askStages(state: CallState, result: ToolExecutionResult): Promise<ToolExecutionResult> {
  const { call, policy, host } = state
  const { postExecute: stages } = policy
  const [outermost] = stages
  if (outermost === undefined) return result
  let failure: Draft | undefined
  const ask = async (index: number): Promise<PostToolDecision> => {
    const stage = stages[index]
    if (stage === undefined) return ACCEPT
    const next = new StageNext(() => ask(index + 1))
    let answer: unknown
    try {
      answer = await stage.run(call, result, next.call)
      await next.drain()
    } catch (error) {
      failure ??= stageFailure(state, stage.name, 'postExecute', error, WITHHELD)
      throw error
    } finally {
      next.end()
    }
    if (answer === ACCEPT) return ACCEPT
    const parsed = parsePostDecision(answer, host.resultLimits)
    if ('fault' in parsed) {
      failure ??= invalidDecision(state, stage.name, 'postExecute', parsed.fault, WITHHELD)
      throw new ToolgateError('INVALID_DECISION', contentText(failure.result.content))
    }
    return parsed.decision
  }
  let applied: ToolExecutionResult | string
  try {
    const decision = await ask(0)
    if (failure !== undefined) return (failure as Draft).result
    if (decision === ACCEPT) return result
    applied = await apply(state, result, decision)
  } catch (error) {
    return (failure ?? stageFailure(state, 'pipeline', 'postExecute', error, WITHHELD)).result
  }
  if (typeof applied !== 'string') return applied
  return invalidDecision(state, outermost.name, 'postExecute', applied, WITHHELD).result
}

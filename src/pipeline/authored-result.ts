import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonObject } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { type ContentBlock, contentFault } from '../tools/content-block.js'
import { failureResult, successResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult, ToolFailureError } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { copyContexts } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { toolFailure } from './failures.js'
import { materialize } from './materialize.js'

interface AuthoredFields {
  readonly [field: string]: unknown
}

const isRecord = (value: unknown): value is AuthoredFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A failure that a stage wrote itself keeps its error, content, meta and contexts, once they are checked. */
function authoredFailure(
  state: CallState,
  fields: AuthoredFields,
  contexts: readonly AdditionalContext[],
): ToolExecutionResult | string {
  const copy = trySnapshot(fields.error, DEFAULT_JSON_LIMITS, 'error')
  if (!copy.ok) return `returned a failure whose ${copy.message}`
  const error = copy.value as unknown as ToolFailureError
  const isCoded = isRecord(error) && typeof error.code === 'string' && error.code !== ''
  if (!isCoded || typeof error.message !== 'string')
    return 'returned a failure without error.code and error.message'
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
  contexts: readonly AdditionalContext[],
): Promise<ToolExecutionResult> {
  const tool = state.scope.resolve(state.call.name)
  if (tool === undefined) return unknownTool(state)
  const returned =
    tool.output === undefined && fields.content !== undefined ? { content: fields.content } : fields.value
  try {
    const made = await materialize(state, tool, returned)
    const concludesTurn = fields.concludesTurn === true
    return successResult(state.call, made.value, made.content, { meta: made.meta, contexts, concludesTurn })
  } catch (error) {
    return toolFailure(state, error)
  }
}

/** A result that a stage wrote, checked like a tool's; or what is wrong with it. Each field is read once. */
export async function authoredResult(
  state: CallState,
  answer: unknown,
): Promise<ToolExecutionResult | string> {
  try {
    if (!isRecord(answer)) return 'returned no result'
    const { isError, value, content, error, meta, additionalContexts, concludesTurn } = answer
    if (isError !== true && isError !== false) return 'returned a result without isError'
    const contexts =
      additionalContexts === undefined ? [] : copyContexts(additionalContexts, 'additionalContexts')
    if (typeof contexts === 'string') return `returned a result whose ${contexts}`
    const fields = { value, content, error, meta, concludesTurn }
    return isError ? authoredFailure(state, fields, contexts) : await authoredSuccess(state, fields, contexts)
  } catch {
    return 'returned a result that cannot be read'
  }
}

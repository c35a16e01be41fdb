import { quoteName } from '../errors/quote-name.js'
import { isRecord } from '../json/is-record.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { ownFields } from '../json/own-fields.js'
import { trySnapshot } from '../json/snapshot-json.js'
import type { ContentBlock } from '../tools/content-block.js'
import { asObject, failureResult, successResult } from '../tools/results.js'
import type { AdditionalContext, ToolExecutionResult, ToolFailureError } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { copyContent, copyContexts, copyFault } from './decisions.js'
import { unknownTool } from './dispatch.js'
import { toolFailure } from './failures.js'
import { materialize } from './materialize.js'

const FIELDS = [
  'callId',
  'name',
  'isError',
  'value',
  'content',
  'error',
  'meta',
  'additionalContexts',
  'concludesTurn',
] as const

type Fields = { readonly [K in (typeof FIELDS)[number]]?: unknown }

/** What a stage says in `meta`, or what is wrong with it. */
function readMeta({ host }: CallState, { meta }: Fields): JsonObject | undefined | string {
  if (meta === undefined) return undefined
  const copy = trySnapshot(meta, host.resultLimits, 'meta')
  if (!copy.ok) return `that ${copyFault(copy)}`
  return isRecord(copy.value) ? (copy.value as JsonObject) : 'whose meta is no JSON object'
}

const ERROR_FIELDS: readonly string[] = ['code', 'name', 'message', 'details']

/** A failure that a stage wrote itself keeps its error, content, meta and contexts, once they are checked. */
function authoredFailure(
  state: CallState,
  fields: Fields,
  contexts: readonly AdditionalContext[],
): ToolExecutionResult | string {
  const { resultLimits } = state.host
  const copy = trySnapshot(fields.error, DEFAULT_JSON_LIMITS, 'error')
  if (!copy.ok) return `returned a failure that ${copyFault(copy)}`
  const error = copy.value as unknown as ToolFailureError
  const isCoded = isRecord(error) && typeof error.code === 'string' && error.code !== ''
  if (!isCoded || typeof error.message !== 'string')
    return 'returned a failure without error.code and error.message'
  // No stage further out would look there, nor whoever reads the result.
  const extra = Object.keys(error).find(key => !ERROR_FIELDS.includes(key))
  if (extra !== undefined)
    return `returned a failure whose error has an unexpected field ${quoteName(extra)}; error.details is for more`
  const content =
    fields.content === undefined ? undefined : copyContent(fields.content, resultLimits, 'content')
  if (typeof content === 'string') return `returned a failure that ${content}`
  const meta = readMeta(state, fields)
  if (typeof meta === 'string') return `returned a failure ${meta}`
  return failureResult(
    state.call,
    Object.freeze({
      ...error,
      name: typeof error.name === 'string' ? error.name : 'Error',
      ...(error.details !== undefined && { details: asObject(error.details) }),
    }),
    { meta, contexts, ...(content !== undefined && { content }) },
  )
}

/** A success that a stage took over with its value and content, by identity: neither is checked or rendered again. */
const isTakenOver = (fields: Fields, made: readonly ToolExecutionResult[]): boolean =>
  made.some(
    result => !result.isError && result.content === fields.content && Object.is(result.value, fields.value),
  )

/** A success that a stage wrote itself is made anew: its value checked by the tool's schema and rendered by the tool. */
async function authoredSuccess(
  state: CallState,
  fields: Fields,
  contexts: readonly AdditionalContext[],
  made: readonly ToolExecutionResult[],
): Promise<ToolExecutionResult | string> {
  const meta = readMeta(state, fields)
  if (typeof meta === 'string') return `returned a success ${meta}`
  const concludesTurn = fields.concludesTurn === true
  if (isTakenOver(fields, made)) {
    const content = fields.content as readonly ContentBlock[]
    return successResult(state.call, fields.value as JsonValue, content, { meta, contexts, concludesTurn })
  }
  // What a body may leave out, a stage that answers in its place may not: it would pass for a run that never was.
  if (fields.value === undefined && fields.content === undefined)
    return 'returned a success without a value or content'
  const tool = state.scope.resolve(state.call.name)
  if (tool === undefined) return unknownTool(state)
  const isContent = tool.output === undefined && fields.content !== undefined
  const given = isContent ? fields.content : fields.value
  const copy = trySnapshot(given, state.host.resultLimits, isContent ? 'content' : 'value')
  if (!copy.ok && copy.thrown !== undefined) return `returned a success that ${copyFault(copy)}`
  const read = copy.ok ? copy.value : given
  const returned = isContent ? { content: read } : read
  try {
    const anew = await materialize(state, tool, returned)
    // What the tool says of the new value stands before what the stage carried over.
    const all = meta === undefined ? anew.meta : Object.freeze({ ...meta, ...anew.meta })
    return successResult(state.call, anew.value, anew.content, { meta: all, contexts, concludesTurn })
  } catch (error) {
    return toolFailure(state, error)
  }
}

/**
 * A result that a stage wrote, checked like a tool's; or what is wrong with it. Own fields only, each read once. `made` are
 * the results that came out of this very call before.
 */
export async function authoredResult(
  state: CallState,
  answer: unknown,
  made: readonly ToolExecutionResult[],
): Promise<ToolExecutionResult | string> {
  try {
    const fields: Fields | string = ownFields(answer, FIELDS)
    if (typeof fields === 'string') return `returned no result: it ${fields}`
    const { isError, additionalContexts } = fields
    if (isError !== true && isError !== false) return 'returned a result without isError'
    const contexts =
      additionalContexts === undefined ? [] : copyContexts(additionalContexts, 'additionalContexts')
    if (typeof contexts === 'string') return `returned a result that ${contexts}`
    return isError
      ? authoredFailure(state, fields, contexts)
      : await authoredSuccess(state, fields, contexts, made)
  } catch {
    return 'returned a result that cannot be read'
  }
}

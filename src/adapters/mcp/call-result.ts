import {
  type ContentBlock,
  type JsonObject,
  RUN_CODE_NAME,
  type ToolExecutionResult,
  type ToolScope,
} from '../../index.js'
import { wellFormedJson } from '../well-formed-json.js'
import { INVALID_PARAMS, RpcError } from './mcp-server.js'
import { isRecord } from './read-field.js'
import { valueForm } from './served-tools.js'

/** What `tools/call` answers. */
export interface CallResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: true
  readonly _meta?: JsonObject
}

/** Where a failure's code stands in an answer. */
export const CODE_KEY = 'toolgate/code'

/** The protocol has no other place for what is to be told beside a result. */
const withContexts = ({ content, additionalContexts = [] }: ToolExecutionResult): readonly ContentBlock[] => [
  ...content,
  ...additionalContexts.flatMap(added => added.content),
]

/**
 * A result as the protocol has it. Content of every kind is kept; half a character, which other readers of JSON refuse, is told as U+FFFD.
 * @throws RpcError for a tool that is not there, as the protocol wants it.
 */
export const callResult = (scope: ToolScope, result: ToolExecutionResult): CallResult =>
  wellFormedJson(writeResult(scope, result))

function writeResult(scope: ToolScope, result: ToolExecutionResult): CallResult {
  const { name } = result
  const content = withContexts(result)
  if (result.isError) {
    const { code, message } = result.error
    if (code === 'UNKNOWN_TOOL' && scope.get(name) === undefined) throw new RpcError(INVALID_PARAMS, message)
    return { content, isError: true, _meta: { [CODE_KEY]: code } }
  }
  // What a program returned is in its text already; models that get both read it twice.
  const form = name === RUN_CODE_NAME ? 'text' : valueForm(scope.get(name)?.output?.schema)
  const meta = result.meta?._meta
  return {
    content,
    ...(form === 'object' && { structuredContent: result.value }),
    ...(form === 'wrapped' && { structuredContent: { result: result.value } }),
    ...(isRecord(meta) && { _meta: meta as JsonObject }),
  }
}

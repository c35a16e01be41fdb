import {
  type ContentBlock,
  type JsonObject,
  type JsonValue,
  ToolgateError,
  ToolOutputError,
} from '../../index.js'
import { isRecord, quoted } from './read-field.js'

/** What a server answered to a call that succeeded. Its parts are not checked yet: the pipeline does. */
export interface Answer {
  readonly content: readonly ContentBlock[]
  readonly structured?: JsonValue
  readonly meta?: JsonObject
}

const malformed = (name: string, path: string, message: string): never => {
  throw new ToolOutputError(name, [{ path, message: `${path} ${message}` }])
}

const textsOf = (content: readonly unknown[]): string =>
  content.flatMap(block => (isRecord(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n')

/** A server's own account of a failure, as the failure of the call. */
function failure(name: string, content: readonly unknown[], structured: unknown): ToolgateError {
  const others = content.filter(block => !isRecord(block) || block.type !== 'text')
  const details = {
    ...(structured !== undefined && { structuredContent: structured }),
    ...(others.length > 0 && { content: others }),
  }
  const text = textsOf(content).trim()
  return new ToolgateError(
    'TOOL_FAILED',
    text || `Tool ${quoted(name)} failed and its MCP server did not say why`,
    {
      ...(Object.keys(details).length > 0 && { details }),
    },
  )
}

/**
 * Reads the answer to a call.
 * @throws ToolgateError `TOOL_FAILED` with the server's own text, or `INVALID_TOOL_OUTPUT`.
 */
export function readAnswer(name: string, answer: unknown): Answer {
  if (!isRecord(answer)) return malformed(name, 'result', 'must be an object')
  const { content: given = [], structuredContent, isError, _meta } = answer
  if (typeof (isError ?? false) !== 'boolean') return malformed(name, 'isError', 'must be true or false')
  if (!Array.isArray(given)) return malformed(name, 'content', 'must be an array of content blocks')
  const content = given as readonly ContentBlock[]
  const structured = structuredContent === null ? undefined : structuredContent
  if (isError === true) throw failure(name, content, structured)
  return {
    content,
    ...(structured !== undefined && { structured: structured as JsonValue }),
    ...(isRecord(_meta) && { meta: _meta as JsonObject }),
  }
}

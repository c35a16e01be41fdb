import type { JsonObject } from '../json/json-value.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { AdditionalContext, ToolFailure } from '../tools/tool-result.js'

const SHOWN = 80

/** A tool's name in quotes, cut where it is long. */
export const quoted = (name: string): string =>
  JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)

/** A failure that a policy puts in place of a run. */
export function codedFailure(
  { callId, name }: Pick<ToolCall, 'callId' | 'name'>,
  error: {
    readonly code: string
    readonly message: string
    readonly details: JsonObject
    readonly name?: string
  },
  additionalContexts?: readonly AdditionalContext[],
): ToolFailure {
  return {
    callId,
    name,
    isError: true,
    error: { name: 'ToolgateError', ...error },
    content: [{ type: 'text', text: `Error: ${error.message}` }],
    ...(additionalContexts !== undefined && { additionalContexts }),
  }
}

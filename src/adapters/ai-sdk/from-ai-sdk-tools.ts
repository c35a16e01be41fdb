import { ToolgateError } from '../../errors/toolgate-error.js'
import type { JsonValue } from '../../json/json-value.js'
import type { ContentBlock } from '../../tools/content-block.js'
import type { ToolContext } from '../../tools/tool-call.js'
import type { ToolDefinition } from '../../tools/tool-definition.js'
import { isList, isRecord } from '../wire/json.js'
import { wasAsked } from './ai-sdk-approvals.js'
import type { ForeignAiSdkTool, ForeignOutput } from './ai-sdk-types.js'
import { readAiSdkSchema, refuse } from './read-ai-sdk-schema.js'

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** The last of the values that a tool gives one after the other. */
async function lastValue(given: unknown, context: ToolContext): Promise<unknown> {
  if (!isStream(given)) return given
  let last: unknown
  let completed = 0
  for await (const value of given) {
    // Nobody waits for the values of a call that has ended; leaving the loop tells the tool.
    context.signal.throwIfAborted()
    last = value
    context.progress({ completed: ++completed })
  }
  return last
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function readPart(part: unknown): ContentBlock {
  if (!isRecord(part)) return { type: 'text', text: asText(part) }
  if (part.type === 'text') return { type: 'text', text: asText(part.text) }
  const { mediaType, data } = part
  if (isRecord(data) && data.type === 'url' && isText(data.url))
    return { type: 'resource_link', uri: data.url, name: isText(part.filename) ? part.filename : 'file' }
  if (isRecord(data) && data.type === 'text') return { type: 'text', text: asText(data.text) }
  const bytes = isRecord(data) && data.type === 'data' ? data.data : data
  if (typeof bytes !== 'string' || typeof mediaType !== 'string') return { type: 'text', text: asText(part) }
  if (mediaType.startsWith('image/')) return { type: 'image', mimeType: mediaType, data: bytes }
  if (mediaType.startsWith('audio/')) return { type: 'audio', mimeType: mediaType, data: bytes }
  return { type: 'resource', resource: { uri: `data:${mediaType}`, mimeType: mediaType, blob: bytes } }
}

function readOutput(name: string, output: ForeignOutput): ContentBlock[] {
  const { type, value, reason } = output
  if (type === 'error-text' || type === 'error-json') throw new ToolgateError('TOOL_FAILED', asText(value))
  if (type === 'execution-denied')
    throw new ToolgateError('DENIED', reason ?? `The tool "${name}" refused the call`)
  if (type === 'content' && isList(value)) return value.map(readPart)
  return [{ type: 'text', text: asText(value) }]
}

async function readTool(name: string, tool: ForeignAiSdkTool): Promise<ToolDefinition> {
  const { description, title, execute, toModelOutput, needsApproval } = tool
  if (typeof execute !== 'function') return refuse(name, 'it has no function "execute"')
  const { parameters, parse } = await readAiSdkSchema(name, tool.inputSchema)
  const run = async (args: unknown, context: ToolContext): Promise<unknown> => {
    if (needsApproval !== undefined && needsApproval !== false && !wasAsked(context.token, tool))
      throw new ToolgateError(
        'APPROVAL_UNAVAILABLE',
        `Tool "${name}" wants an approval, and nothing here asks for one; it did not run`,
      )
    const input = await parse(args)
    const options = {
      toolCallId: context.callId,
      messages: [],
      abortSignal: context.signal,
      context: context.caller,
    }
    return lastValue(await execute.call(tool, input, options), context)
  }
  const base = {
    name,
    ...(title !== undefined && { title }),
    description: typeof description === 'string' ? description : '',
    parameters,
  }
  if (toModelOutput === undefined)
    return {
      ...base,
      output: {
        schema: {},
        render: (_args, value: JsonValue) => [{ type: 'text', text: asText(value) }],
      },
      execute: async (args, context) => (await run(args, context)) ?? null,
    }
  return {
    ...base,
    execute: async (args, context) => {
      const output = await run(args, context)
      const shown = await toModelOutput.call(tool, { toolCallId: context.callId, input: args, output })
      return readOutput(name, shown as ForeignOutput)
    },
  }
}

/**
 * Tools that were made for the AI SDK, as tools to register: their calls then pass the pipeline too. Their own schemas check
 * and convert the arguments. Of tools that give several values the last one counts. One with `needsApproval` runs only where
 * the stage of `aiSdkApprovals` is among the stages of the registry.
 * @throws ToolgateError `INVALID_TOOL` for one without `execute`, or whose schema does not print JSON Schema.
 */
export async function fromAiSdkTools(tools: {
  readonly [name: string]: ForeignAiSdkTool
}): Promise<ToolDefinition[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => readTool(name, tool)))
}

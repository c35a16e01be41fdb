import { ToolgateError } from '../../errors/toolgate-error.js'
import type { JsonValue } from '../../json/json-value.js'
import type { ToolContext } from '../../tools/tool-call.js'
import type { ToolDefinition } from '../../tools/tool-definition.js'
import { copyJson } from '../wire/json.js'
import { wasAsked } from './ai-sdk-approvals.js'
import type { ForeignAiSdkTool } from './ai-sdk-types.js'
import { asJson, asText, readAiSdkOutput } from './read-ai-sdk-output.js'
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

async function readTool(name: string, tool: ForeignAiSdkTool): Promise<ToolDefinition> {
  const { description, title, execute, toModelOutput, needsApproval } = tool
  if (typeof execute !== 'function') return refuse(name, 'it has no function "execute"')
  const { parameters, parse } = await readAiSdkSchema(name, tool.inputSchema)
  const run = async (args: unknown, context: ToolContext): Promise<{ input: unknown; output: unknown }> => {
    if (needsApproval !== undefined && needsApproval !== false && !wasAsked(context.token, tool))
      throw new ToolgateError(
        'APPROVAL_UNAVAILABLE',
        `Tool "${name}" wants an approval, and nothing here asks for one; it did not run`,
      )
    // Tools may change their input, and the arguments are frozen.
    const input = await parse(copyJson(args as JsonValue))
    const options = {
      toolCallId: context.callId,
      messages: [],
      abortSignal: context.signal,
      context: context.caller,
    }
    return { input, output: await lastValue(await execute.call(tool, input, options), context) }
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
      execute: async (args, context) => asJson((await run(args, context)).output),
    }
  return {
    ...base,
    execute: async (args, context) => {
      const shown = await toModelOutput.call(tool, {
        toolCallId: context.callId,
        ...(await run(args, context)),
      })
      return readAiSdkOutput(name, shown)
    },
  }
}

/**
 * Tools that were made for the AI SDK, as tools to register: their calls then pass the pipeline too. Their own schemas check
 * and convert the arguments, and their outputs become JSON as the AI SDK makes it of them: what is undefined is left out, a date
 * is a text. Of tools that give several values the last one counts. One with `needsApproval` runs only where
 * the stage of `aiSdkApprovals` is among the stages of the registry.
 * @throws ToolgateError `INVALID_TOOL` for one without `execute`, or whose schema does not print JSON Schema.
 */
export async function fromAiSdkTools(tools: {
  readonly [name: string]: ForeignAiSdkTool
}): Promise<ToolDefinition[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => readTool(name, tool)))
}

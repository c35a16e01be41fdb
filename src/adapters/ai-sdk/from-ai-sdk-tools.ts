import { ToolArgsError } from '../../errors/errors.js'
import { ToolgateError } from '../../errors/toolgate-error.js'
import type { JsonValue } from '../../json/json-value.js'
import type { ContentBlock } from '../../tools/content-block.js'
import type { ToolContext } from '../../tools/tool-call.js'
import type { ToolDefinition } from '../../tools/tool-definition.js'
import { isList, isRecord } from '../wire/json.js'
import type { ForeignAiSdkTool, ForeignOutput } from './ai-sdk-types.js'

type Validate = (value: unknown) => unknown

interface ReadSchema {
  readonly parameters: object
  /** Gives the value that the tool gets, or throws. */
  readonly parse: (value: unknown) => Promise<unknown>
}

const refuse = (name: string, what: string): never => {
  throw new ToolgateError('INVALID_TOOL', `The tool "${name}" of the AI SDK cannot be taken: ${what}`)
}

function wrongInput(name: string, reason: unknown): never {
  const said = isRecord(reason) && typeof reason.message === 'string' ? reason.message : String(reason)
  throw new ToolArgsError(`The arguments of "${name}" do not match its schema: ${said}`, [
    { path: 'arguments', message: said },
  ])
}

// What a schema of the AI SDK, a Standard Schema and a function that gives either have in common.
async function readSchema(name: string, given: unknown): Promise<ReadSchema> {
  const schema = typeof given === 'function' && !('~standard' in given) ? (given as () => unknown)() : given
  if (schema === undefined || schema === null)
    return { parameters: { type: 'object', properties: {} }, parse: async value => value }
  const own = schema as { jsonSchema?: unknown; validate?: Validate; '~standard'?: unknown }
  if (own.jsonSchema !== undefined && own['~standard'] === undefined) {
    const { validate } = own
    return {
      parameters: (await own.jsonSchema) as object,
      parse: async value => {
        const outcome = (await validate?.(value)) as
          | { success?: boolean; value?: unknown; error?: unknown }
          | undefined
        if (outcome === undefined) return value
        return outcome.success === true ? outcome.value : wrongInput(name, outcome.error)
      },
    }
  }
  const standard = own['~standard'] as
    | { validate: Validate; jsonSchema?: { input(options: { target: string }): object } }
    | undefined
  if (standard?.jsonSchema === undefined) return refuse(name, 'its inputSchema does not print JSON Schema')
  return {
    parameters: standard.jsonSchema.input({ target: 'draft-2020-12' }),
    parse: async value => {
      const outcome = (await standard.validate(value)) as { issues?: readonly unknown[]; value?: unknown }
      return outcome.issues === undefined ? outcome.value : wrongInput(name, outcome.issues[0])
    },
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** The last of the values that a tool gives one after the other. */
async function lastValue(given: unknown, context: ToolContext): Promise<unknown> {
  if (!isStream(given)) return given
  let last: unknown
  let completed = 0
  for await (const value of given) {
    last = value
    context.progress({ completed: ++completed })
  }
  return last
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function readPart(part: unknown): ContentBlock {
  if (!isRecord(part)) return { type: 'text', text: asText(part) }
  if (part.type === 'text') return { type: 'text', text: asText(part.text) }
  const { mediaType, data } = part
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
  const { description, title, execute, toModelOutput } = tool
  if (typeof execute !== 'function') return refuse(name, 'it has no function "execute"')
  const { parameters, parse } = await readSchema(name, tool.inputSchema)
  const run = async (args: unknown, context: ToolContext): Promise<unknown> => {
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
 * and convert the arguments. Of tools that give several values the last one counts.
 * @throws ToolgateError `INVALID_TOOL` for one without `execute`, or whose schema does not print JSON Schema.
 */
export async function fromAiSdkTools(tools: {
  readonly [name: string]: ForeignAiSdkTool
}): Promise<ToolDefinition[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => readTool(name, tool)))
}

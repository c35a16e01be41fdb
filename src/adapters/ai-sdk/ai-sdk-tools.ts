import type { JsonObject, JsonValue } from '../../json/json-value.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'
import { wellFormedJson } from '../well-formed-json.js'
import { decodeArguments } from '../wire/decode-plan.js'
import { type Dialect, OPENAI } from '../wire/dialect.js'
import { copyJson, isRecord } from '../wire/json.js'
import { lowerSchema } from '../wire/lower-schema.js'
import { type NameRule, WireNames } from '../wire/wire-names.js'
import { partInWords, readBlock, remarkText, type WirePart } from '../wire/wire-part.js'
import { readTools, type ToolSource } from '../wire/wire-tools.js'
import type { AiSdkOutput, AiSdkOutputPart, AiSdkSchema, AiSdkToolSet } from './ai-sdk-types.js'
import { CallQueue, type CallRunner } from './call-queue.js'

/** A registry or a scope, as far as the AI SDK needs it. */
export type AiSdkScope = Exclude<ToolSource, readonly unknown[]> & CallRunner

/** What every provider takes: the AI SDK hands these names on as they are. */
export const AI_SDK_NAMES: NameRule = {
  accepts: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  refused: /[^a-zA-Z0-9_-]/u,
  letterFirst: true,
}

// The AI SDK's providers write schemas in their own words; what all of them need is an object at the root.
const DIALECT: Dialect = { ...OPENAI, label: 'the AI SDK' }
const DENIALS = ['DENIED', 'GUARD_DENIED', 'APPROVAL_REJECTED', 'APPROVAL_CANCELLED', 'APPROVAL_UNAVAILABLE']
/** What the AI SDK knows its own schemas by: it takes these as they are, and closes the objects of all others. */
const OWN_SCHEMA = Symbol.for('vercel.ai.schema')

function schemaOf(schema: JsonObject): AiSdkSchema {
  const print = (): { [keyword: string]: unknown } => copyJson(schema)
  const schemaLike: AiSdkSchema = {
    '~standard': {
      version: 1,
      vendor: 'toolgate',
      validate: value => ({ value }),
      jsonSchema: { input: print, output: print },
    },
  }
  return Object.assign(schemaLike, {
    [OWN_SCHEMA]: true,
    jsonSchema: print(),
    validate: (value: unknown) => ({ success: true, value }),
  })
}

const writePart = (part: WirePart): AiSdkOutputPart =>
  part.kind === 'text' || part.data === ''
    ? { type: 'text', text: partInWords(part) }
    : {
        type: 'file',
        mediaType: part.mimeType,
        ...(part.kind === 'file' && { filename: part.name }),
        data: { type: 'data', data: part.data },
      }

function resultOutput(result: ToolExecutionResult): AiSdkOutput {
  const remarks = (result.additionalContexts ?? []).map(({ source, content }) =>
    remarkText({ source, parts: content.map(readBlock) }),
  )
  const parts = result.content.map(readBlock)
  const text = [...parts.map(partInWords), ...remarks].join('\n')
  if (result.isError)
    return DENIALS.includes(result.error.code)
      ? { type: 'execution-denied', reason: text }
      : { type: 'error-text', value: text }
  if (parts.every(part => part.kind === 'text')) return { type: 'text', value: text }
  return {
    type: 'content',
    value: [
      ...parts.map(writePart),
      ...remarks.map((said): AiSdkOutputPart => ({ type: 'text', text: said })),
    ],
  }
}

function plainOutput(output: unknown): AiSdkOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  try {
    return { type: 'json', value: JSON.parse(JSON.stringify(output) ?? 'null') as JsonValue }
  } catch {
    return { type: 'text', value: '[an output that is no JSON]' }
  }
}

/**
 * What a model sees of a result, in the words of the AI SDK. What is no result of a pipeline, such as an output that a browser
 * sent, is shown as it is. Total: never throws.
 */
export function aiSdkOutput(output: unknown): AiSdkOutput {
  try {
    if (isRecord(output) && typeof output.isError === 'boolean' && Array.isArray(output.content))
      return resultOutput(output as unknown as ToolExecutionResult)
  } catch {
    // It looks like one, and is none.
  }
  return plainOutput(output)
}

/**
 * The tools of a scope as a `ToolSet` for `generateText` and its like. Each call passes the pipeline under the model's own
 * call id; its output is the pipeline's result, and the model sees text, files, an error or a denial. Calls of one set overlap
 * as calls of a batch do, so a tool's body that asks a model itself needs a set of its own.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function aiSdkTools(scope: AiSdkScope): AiSdkToolSet {
  const tools = readTools(scope)
  const names = new WireNames(AI_SDK_NAMES)
  names.add(tools.map(({ name }) => name))
  const queue = new CallQueue(scope)
  const set: AiSdkToolSet = {}
  for (const { name, description, parameters } of tools) {
    const { schema, plan } = lowerSchema(parameters, DIALECT)
    const wireName = names.toWire(name)
    Object.defineProperty(set, wireName, {
      enumerable: true,
      configurable: true,
      writable: true,
      value: {
        type: 'dynamic',
        description,
        inputSchema: schemaOf(schema),
        execute: (input, { toolCallId, abortSignal, context }) =>
          queue.run({
            callId: toolCallId,
            name,
            arguments: decodeArguments(input, plan),
            signal: abortSignal,
            ...(context !== undefined && { caller: context }),
          }),
        toModelOutput: ({ output }) => wellFormedJson(aiSdkOutput(output)),
      } satisfies AiSdkToolSet[string],
    })
  }
  return set
}

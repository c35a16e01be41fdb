// `ai` exports no function that validates a call's input and executes its tool. These are the public functions of
// `@ai-sdk/provider-utils` that `generateText` is made of at this point.
import { executeTool, safeParseJSON, safeValidateTypes } from '@ai-sdk/provider-utils'
import { asSchema, tool } from 'ai'
import { z } from 'zod'
import { ARGS, ARGS_TEXT, zodParameters } from './toolgate.mjs'

export const noop = () =>
  tool({ description: 'Does nothing', inputSchema: z.object(zodParameters), execute: async () => 'ok' })

/** What a model is told of a set of tools. */
export const present = tools =>
  Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) => ({
      name,
      description,
      parameters: await asSchema(inputSchema).jsonSchema,
    })),
  )

async function call(tools, name, callId, validated) {
  const { success, value, error } = await validated(asSchema(tools[name].inputSchema))
  if (!success) throw error
  let output
  const options = { toolCallId: callId, messages: [], context: {} }
  for await (const part of executeTool({ tool: tools[name], input: value, options })) output = part.output
  if (output !== 'ok') throw new Error('no output')
}

export function caller(tools, name) {
  let n = 0
  return () => call(tools, name, `c${n++}`, schema => safeValidateTypes({ value: ARGS, schema }))
}

export function textCaller(tools, name) {
  let n = 0
  return () => call(tools, name, `c${n++}`, schema => safeParseJSON({ text: ARGS_TEXT, schema }))
}

// What the adapter writes is what the AI SDK takes.
import { generateText, type LanguageModel, type ToolSet, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createToolRegistry, type ToolExecutionResult } from 'toolgate'
import { aiSdkMiddleware, aiSdkTools, fromAiSdkTools } from 'toolgate/ai-sdk'
import { z } from 'zod'

const registry = createToolRegistry()
const tools: ToolSet = aiSdkTools(registry)
const model: LanguageModel = wrapLanguageModel({
  model: new MockLanguageModelV4(),
  middleware: aiSdkMiddleware(registry),
})
const { steps } = await generateText({ model, prompt: '', tools: aiSdkTools(registry) })
const results: ToolExecutionResult[] = steps.flatMap(step =>
  step.toolResults.map(each => each.output as ToolExecutionResult),
)

const add = tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a })
createToolRegistry({ tools: await fromAiSdkTools({ add }) })

// @ts-expect-error: a list of tools cannot run calls
aiSdkTools([])

export const used: unknown[] = [tools, results]

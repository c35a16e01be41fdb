// An agent over the AI SDK: the loop is generateText's own, each call passes the pipeline of the scope.
import { generateText, type LanguageModel, stepCountIs, wrapLanguageModel } from 'ai'
import type { ToolExecutionResult, ToolScope } from 'toolgate'
import { aiSdkMiddleware, aiSdkTools } from 'toolgate/ai-sdk'

export interface AgentOptions {
  readonly model: Exclude<LanguageModel, string>
  readonly scope: ToolScope
  readonly question: string
  readonly maxSteps?: number
}

export async function aiSdkAgent({
  model,
  scope,
  question,
  maxSteps = 20,
}: AgentOptions): Promise<{ readonly text: string; readonly results: readonly ToolExecutionResult[] }> {
  const { text, steps } = await generateText({
    // Adds the prompt sections of Code Mode, and leaves out tools that the scope no longer shows.
    model: wrapLanguageModel({ model: model as never, middleware: aiSdkMiddleware(scope) }),
    prompt: question,
    tools: aiSdkTools(scope),
    stopWhen: stepCountIs(maxSteps),
  })
  const results = steps.flatMap(step => step.toolResults.map(({ output }) => output as ToolExecutionResult))
  return { text, results }
}

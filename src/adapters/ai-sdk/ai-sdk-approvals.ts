import type { Stages } from '../../pipeline/stages.js'
import type { ToolCall } from '../../tools/tool-call.js'
import type { ForeignAiSdkTool } from './ai-sdk-types.js'
import { readAiSdkSchema } from './read-ai-sdk-schema.js'

const asked = new WeakMap<object, ForeignAiSdkTool>()

/** Whether the stage of a tool has seen this call of it. */
export const wasAsked = (token: object, tool: ForeignAiSdkTool): boolean => asked.get(token) === tool

async function wants(tool: ForeignAiSdkTool, call: ToolCall): Promise<boolean> {
  const { needsApproval } = tool
  if (typeof needsApproval !== 'function') return needsApproval !== undefined && needsApproval !== false
  let input: unknown
  try {
    input = await (await readAiSdkSchema(call.name, tool.inputSchema)).parse(call.arguments)
  } catch {
    // The schema refuses the arguments: the tool does not run, and there is nothing to ask about.
    return false
  }
  const options = { toolCallId: call.callId, messages: [], context: call.caller }
  return (await needsApproval.call(tool, input, options)) !== false
}

/**
 * A stage that asks for an approval where a tool of the AI SDK says `needsApproval`, by the registry's own approver. It is given
 * the same tools as `fromAiSdkTools`. A function that throws fails the call, and the tool does not run.
 */
export function aiSdkApprovals(tools: { readonly [name: string]: ForeignAiSdkTool }): Stages {
  const byName = new Map(Object.entries(tools))
  return {
    name: 'aiSdkApprovals',
    async preExecute(call, next) {
      const decision = await next()
      const tool = byName.get(call.name)
      if (tool === undefined || decision.kind !== 'allow' || !(await wants(tool, call))) return decision
      return { kind: 'ask' }
    },
    execute(call, next) {
      const tool = byName.get(call.name)
      if (tool !== undefined) asked.set(call.token, tool)
      return next()
    },
  }
}

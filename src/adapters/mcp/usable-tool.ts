import { createToolRegistry, type ToolDefinition, ToolgateError, type ToolScope } from '../../index.js'
import { messageOf } from './read-field.js'
import type { McpProblem, McpToolListing } from './read-listing.js'
import { type ToToolOptions, toTool } from './to-tool.js'

/** A tool that a registry takes, and what had to be left out for that. */
export interface UsableTool {
  readonly tool?: ToolDefinition
  readonly problem?: McpProblem
}

const codeOfError = (error: unknown): string =>
  ToolgateError.isInstance(error) ? error.code : 'INVALID_TOOL'

const WITHOUT = {
  output: 'its output schema cannot be used, so its value is text',
  arguments: 'its input schema cannot be used, so its arguments go to the server unchecked',
  both: 'its schemas cannot be used, so its arguments go to the server unchecked and its value is text',
} as const

/** Tries definitions out in a registry of its own: a server's schemas are not always JSON Schema. */
export function createToolMaker(): (listing: McpToolListing, options: ToToolOptions) => UsableTool {
  const trial: ToolScope = createToolRegistry()
  const attempt = (listing: McpToolListing, options: ToToolOptions): ToolDefinition => {
    const tool = toTool(listing, options)
    trial.register(tool)()
    return tool
  }
  return (listing, options) => {
    const { outputSchema, ...plain } = listing
    const unchecked = { ...options, validateArguments: false }
    const lesser = [
      ...(outputSchema !== undefined ? [{ without: 'output', listing: plain, options } as const] : []),
      ...(options.validateArguments ? [{ without: 'arguments', listing, options: unchecked } as const] : []),
      ...(outputSchema !== undefined && options.validateArguments
        ? [{ without: 'both', listing: plain, options: unchecked } as const]
        : []),
    ]
    try {
      return { tool: attempt(listing, options) }
    } catch (error) {
      const about = { tool: listing.name, code: codeOfError(error) }
      for (const one of codeOfError(error) === 'UNSUPPORTED_SCHEMA' ? lesser : [])
        try {
          const tool = attempt(one.listing, one.options)
          const message = `Tool ${JSON.stringify(listing.name)}: ${WITHOUT[one.without]} (${messageOf(error)})`
          return { tool, problem: { ...about, effect: 'degraded', message } }
        } catch {}
      return { problem: { ...about, effect: 'refused', message: messageOf(error) } }
    }
  }
}

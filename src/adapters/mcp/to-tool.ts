import type { ContentBlock, JsonObject, JsonValue, ToolContext, ToolDefinition } from '../../index.js'
import { contentOf, createKeptContent, metaOf } from './kept-content.js'
import { type Answer, readAnswer } from './read-answer.js'
import type { McpToolListing } from './read-listing.js'

/** Sends a call of one tool to the server and gives the answer as it came. */
export type SendCall = (listing: McpToolListing, args: JsonObject, context: ToolContext) => Promise<unknown>

/** How a listing becomes a tool. */
export interface ToToolOptions {
  readonly name: string
  readonly validateArguments: boolean
  readonly trustAnnotations: boolean
  readonly send: SendCall
}

/** Hints that ask for more care are kept; those that ask for less only where the server is trusted. */
function hintsOf(annotations: JsonObject | undefined, trusted: boolean): JsonObject | undefined {
  if (annotations === undefined || trusted) return annotations
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const careful = {
    ...(readOnlyHint === false && { readOnlyHint }),
    ...(destructiveHint === true && { destructiveHint }),
    ...(idempotentHint === false && { idempotentHint }),
    ...(openWorldHint === true && { openWorldHint }),
  }
  return Object.keys(careful).length > 0 ? careful : undefined
}

function commonOf(listing: McpToolListing, options: ToToolOptions): Omit<ToolDefinition, 'execute'> {
  const { title, description, inputSchema, annotations } = listing
  const hints = hintsOf(annotations, options.trustAnnotations)
  const overlaps = options.trustAnnotations && annotations?.readOnlyHint === true
  return {
    name: options.name,
    ...(title !== undefined && { title }),
    description: description ?? title ?? `Calls ${listing.name}.`,
    ...(hints !== undefined && { annotations: hints }),
    parameters: inputSchema,
    validateArguments: options.validateArguments,
    ...(overlaps && { isConcurrencySafe: () => true }),
  }
}

/** A tool whose value is the text of its content. */
function contentTool(listing: McpToolListing, options: ToToolOptions): ToolDefinition {
  return {
    ...commonOf(listing, options),
    async execute(args: JsonObject, context) {
      const answer = readAnswer(options.name, await options.send(listing, args, context))
      const { content, structured } = answer
      const shown = content.length === 0 && structured !== undefined ? contentOf(answer, structured) : content
      const meta = {
        ...metaOf(answer),
        ...(structured !== undefined && { structuredContent: structured }),
      }
      return { content: shown, ...(Object.keys(meta).length > 0 && { meta }) }
    },
  }
}

/** A tool whose value is the server's structured content, checked by the schema that the server declares for it. */
function structuredTool(listing: McpToolListing, schema: JsonObject, options: ToToolOptions): ToolDefinition {
  const kept = createKeptContent()
  return {
    ...commonOf(listing, options),
    output: {
      schema,
      render: (args: JsonObject, value: JsonValue): readonly ContentBlock[] =>
        contentOf(kept.take(args, value), value),
      presentationMeta: (_args: JsonObject, value: JsonValue) => metaOf(kept.taken(value)),
    },
    async execute(args: JsonObject, context): Promise<unknown> {
      const answer: Answer = readAnswer(options.name, await options.send(listing, args, context))
      // Missing structured content is for the schema to refuse.
      if (answer.structured !== undefined && !context.signal.aborted)
        kept.keep(args, context, answer.structured, answer)
      return answer.structured
    },
    finalizeContent(call) {
      kept.forget(call)
      return undefined
    },
  }
}

/** Makes a tool of a listing; without `outputSchema` its value is text. */
export const toTool = (listing: McpToolListing, options: ToToolOptions): ToolDefinition =>
  listing.outputSchema === undefined
    ? contentTool(listing, options)
    : structuredTool(listing, listing.outputSchema, options)

import { ToolgateError } from '../../index.js'
import { isConnectionLoss } from './connection-loss.js'
import { anyResult } from './lenient-schema.js'
import type { McpClient } from './mcp-client.js'
import { isRecord, messageOf, quoted } from './read-field.js'
import { isProblem, type McpProblem, type McpToolListing, readListing } from './read-listing.js'

/** Bounds on what a server may list. */
export interface McpListLimits {
  /** Tools read from one list, and fingerprints kept of tools that came after the first list and have gone. Default 2 000. */
  readonly maxTools?: number | undefined
  /** Pages read of one list. Default 200. */
  readonly maxPages?: number | undefined
  /** UTF-8 bytes of one tool's definition. Default 256 KiB. */
  readonly maxDefinitionBytes?: number | undefined
  /** Milliseconds for all pages together. Default 60 000. */
  readonly listTimeoutMs?: number | undefined
}

/** A server's list: the usable tools, and what is wrong with the others. */
export interface Listed {
  readonly tools: readonly McpToolListing[]
  readonly problems: readonly McpProblem[]
}

/** Tools that are read of one list where nothing else is said. */
export const MAX_TOOLS = 2_000

const limited = (message: string): McpProblem => ({ effect: 'refused', code: 'LIMIT_EXCEEDED', message })

async function readPages(
  client: McpClient,
  prefix: string,
  limits: Required<{ [K in keyof McpListLimits]: number }>,
  signal: AbortSignal,
): Promise<Listed> {
  const tools = new Map<string, McpToolListing>()
  const problems: McpProblem[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  let seen = 0
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { params: { cursor } }
    const request = { method: 'tools/list', ...params }
    const result: unknown = await client.request(request, anyResult, {
      signal,
      timeout: limits.listTimeoutMs,
    })
    if (!isRecord(result) || !Array.isArray(result.tools))
      throw new ToolgateError('INVALID_TOOL', `The MCP server's answer to tools/list has no array of tools`)
    for (const raw of result.tools as readonly unknown[]) {
      if (++seen > limits.maxTools) {
        problems.push(
          limited(`The server lists more than ${limits.maxTools} tools; the others were not read`),
        )
        return { tools: [...tools.values()], problems }
      }
      const read = readListing(raw, prefix, limits.maxDefinitionBytes)
      if (isProblem(read)) problems.push(read)
      else if (tools.has(read.name))
        problems.push({
          tool: read.name,
          effect: 'refused',
          code: 'DUPLICATE_TOOL',
          message: `Tool ${quoted(read.name)}: the server lists the name twice; the first one counts`,
        })
      else tools.set(read.name, read)
    }
    const { nextCursor } = result
    if (typeof nextCursor !== 'string') return { tools: [...tools.values()], problems }
    const endless = cursors.has(nextCursor)
      ? 'gave the same page of its list again'
      : page >= limits.maxPages
        ? `has more than ${limits.maxPages} pages of tools`
        : undefined
    if (endless !== undefined) {
      problems.push(limited(`The server ${endless}; the rest was not read`))
      return { tools: [...tools.values()], problems }
    }
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}

/**
 * Reads a server's whole list of tools. One bad tool does not lose the others.
 * @throws ToolgateError `CONNECTION_LOST`, `TOOL_TIMEOUT` or `INVALID_TOOL` if there is no list.
 */
export async function listTools(
  client: McpClient,
  prefix: string,
  given: McpListLimits,
  signal: AbortSignal,
): Promise<Listed> {
  const limits = {
    maxTools: given.maxTools ?? MAX_TOOLS,
    maxPages: given.maxPages ?? 200,
    maxDefinitionBytes: given.maxDefinitionBytes ?? 256 * 1024,
    listTimeoutMs: given.listTimeoutMs ?? 60_000,
  }
  // A server without tools says so, and may refuse the question.
  if (client.getServerCapabilities !== undefined && client.getServerCapabilities()?.tools === undefined)
    return { tools: [], problems: [] }
  const ended = new AbortController()
  const stop = (): void => ended.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason))
    timer = setTimeout(() => {
      const message = `The MCP server did not list its tools within ${limits.listTimeoutMs} ms`
      ended.abort(new ToolgateError('TOOL_TIMEOUT', message))
    }, limits.listTimeoutMs)
  })
  try {
    return await Promise.race([readPages(client, prefix, limits, ended.signal), late])
  } catch (error) {
    if (ended.signal.aborted) throw ended.signal.reason
    if (ToolgateError.isInstance(error)) throw error
    const code = isConnectionLoss(error) ? 'CONNECTION_LOST' : 'TOOL_FAILED'
    throw new ToolgateError(code, `The MCP server did not list its tools: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

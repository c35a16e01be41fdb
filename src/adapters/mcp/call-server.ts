import { type JsonObject, type ToolContext, ToolgateError, ToolTimeoutError } from '../../index.js'
import { isConnectionLoss, mayHaveArrived } from './connection-loss.js'
import { anyResult } from './lenient-schema.js'
import type { McpClient } from './mcp-client.js'
import { codeOf, isRecord, messageOf, quoted, textOf } from './read-field.js'
import type { McpToolListing } from './read-listing.js'

/** How long a server may take for a call. */
export interface McpCallLimits {
  /** Milliseconds of silence: each report of progress starts them anew. Default 60 000; `Infinity` for no bound. */
  readonly timeoutMs: number
  /** Milliseconds in all, progress or not. Default 600 000; `Infinity` for no bound. */
  readonly maxTimeoutMs: number
}

const LONGEST_MS = 2 ** 31 - 1
const INVALID_RESULT: readonly unknown[] = ['INVALID_RESULT', 'UNSUPPORTED_RESULT_TYPE']
/** A server may still be at work on a call that nobody waits for. */
const REMOTE = { bodyStopped: false }

function report(context: ToolContext, given: unknown): void {
  if (!isRecord(given)) return
  const { progress, total, message } = given
  const text = textOf(message)
  context.progress({
    ...(text !== undefined && { message: text }),
    ...(Number.isFinite(progress) && { completed: progress as number }),
    ...(Number.isFinite(total) && { total: total as number }),
  })
}

/** What a rejected request means for the call. */
function failureOf(error: unknown, name: string): ToolgateError {
  // v1 of the SDK puts its own words before the server's.
  const text = messageOf(error).replace(/^MCP error -?\d+: /, '')
  const code = codeOf(error)
  if (isConnectionLoss(error)) {
    const sent = mayHaveArrived(error)
    const effect = sent ? 'it may have acted, and may still be at work' : 'the call was not sent'
    return new ToolgateError(
      'CONNECTION_LOST',
      `The MCP server of tool ${quoted(name)} is not connected any more; ${effect}`,
      { cause: error, details: sent ? { sent, ...REMOTE } : { sent } },
    )
  }
  if (INVALID_RESULT.includes(code))
    return new ToolgateError(
      'INVALID_TOOL_OUTPUT',
      `The MCP server's answer for tool ${quoted(name)} is malformed: ${text}`,
      {
        cause: error,
      },
    )
  const rpc = typeof code === 'number' ? { details: { rpcCode: code } } : {}
  return new ToolgateError('TOOL_FAILED', text, { cause: error, ...rpc })
}

/** Runs what is armed when nothing has been heard for a while, or in all for too long. */
function deadlines(
  limits: McpCallLimits,
  onLate: (message: string) => void,
): { heard(): void; clear(): void } {
  const arm = (ms: number, message: string): ReturnType<typeof setTimeout> | undefined =>
    ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => onLate(message), Math.min(ms, LONGEST_MS))
  const { timeoutMs, maxTimeoutMs } = limits
  const silence = `heard nothing of its MCP server for ${timeoutMs} ms`
  let idle = arm(timeoutMs, silence)
  const whole = arm(maxTimeoutMs, `was not answered by its MCP server within ${maxTimeoutMs} ms`)
  return {
    heard() {
      clearTimeout(idle)
      idle = arm(timeoutMs, silence)
    },
    clear() {
      clearTimeout(idle)
      clearTimeout(whole)
    },
  }
}

function send(
  client: McpClient,
  { name, inputSchema }: McpToolListing,
  args: JsonObject,
  options: object,
): Promise<unknown> {
  const params = { name, arguments: args }
  // Newer revisions want some arguments repeated as headers, which `callTool` alone knows how to write.
  if (client.getProtocolEra?.() === 'modern' && client.callTool !== undefined)
    return client.callTool(params, { ...options, toolDefinition: { name, inputSchema } })
  return client.request({ method: 'tools/call', params }, anyResult, options)
}

/**
 * Sends one call to the server and waits for its answer, as it is. Progress goes to the call's events, the call's abort to
 * the server.
 * @throws ToolgateError `ABORTED`, `TOOL_TIMEOUT`, `CONNECTION_LOST`, `INVALID_TOOL_OUTPUT` or `TOOL_FAILED`.
 */
export async function callServer(
  client: McpClient,
  listing: McpToolListing,
  args: JsonObject,
  context: ToolContext,
  limits: McpCallLimits,
): Promise<unknown> {
  const { signal } = context
  const sending = new AbortController()
  let given: ToolgateError | undefined
  let giveUp: (error: ToolgateError) => void = () => {}
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = error => {
      given ??= error
      // The SDK tells the server of it.
      sending.abort(error)
      reject(error)
    }
  })
  const told = 'the server was told to stop and may still be at work'
  const onAbort = (): void =>
    giveUp(
      new ToolgateError('ABORTED', `Tool ${quoted(context.name)} was aborted; ${told}`, { details: REMOTE }),
    )
  const timers = deadlines(limits, message =>
    giveUp(new ToolTimeoutError(`Tool ${quoted(context.name)} ${message}; ${told}`, { details: REMOTE })),
  )
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  const onprogress = (progress: unknown): void => {
    timers.heard()
    report(context, progress)
  }
  try {
    const options = { signal: sending.signal, onprogress, timeout: LONGEST_MS, maxTotalTimeout: LONGEST_MS }
    return await Promise.race([givenUp, signal.aborted ? givenUp : send(client, listing, args, options)])
  } catch (error) {
    throw given ?? failureOf(error, context.name)
  } finally {
    timers.clear()
    signal.removeEventListener('abort', onAbort)
  }
}

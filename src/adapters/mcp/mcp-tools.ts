import { type JsonObject, type ToolContext, type ToolDefinition, ToolgateError } from '../../index.js'
import { callServer } from './call-server.js'
import { Connection } from './connection.js'
import { onNotification } from './lenient-schema.js'
import { listTools } from './list-tools.js'
import type { McpClient, McpConnector } from './mcp-client.js'
import { checkMcpToolsOptions, type McpChange, type McpToolsOptions } from './mcp-tools-options.js'
import { quoted } from './read-field.js'
import type { McpProblem, McpToolListing } from './read-listing.js'
import { ReadPace } from './read-pace.js'
import { ToolSet } from './tool-set.js'

const LIST_CHANGED = 'notifications/tools/list_changed'
/** How long a server may take to say that it will tell of changes; without it the tools are there all the same. */
const LISTEN_MS = 5_000

/** The tools of one MCP server, as `mcpTools` made them. They follow the server until `dispose`. */
export class McpTools {
  readonly #options: McpToolsOptions
  readonly #listeners = new Set<(change: McpChange) => void>()
  readonly #ended = new AbortController()
  readonly #connection: Connection
  readonly #set: ToolSet
  #subscription: Promise<{ close(): Promise<void> } | undefined> | undefined
  #reading: Promise<void> | undefined
  #isStale = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #pace = new ReadPace()
  #wasConnected = false
  #isFirst = true

  /** @internal */
  constructor(client: McpClient | McpConnector, options: McpToolsOptions) {
    this.#options = options
    if (options.onChange !== undefined) this.#listeners.add(options.onChange)
    this.#set = new ToolSet(options, this.#send, change => this.#tell(change))
    this.#connection = new Connection(client, options.reconnect ?? {}, {
      connected: connected => this.#connected(connected),
      lost: () => this.#tell({ kind: 'disconnected' }),
      failed: error => this.#tell({ kind: 'failed', error }),
    })
    if (typeof client !== 'function') this.#connected(client)
  }

  /** The tools that can be registered, in the server's order; with `scope` they are registered already. */
  get tools(): readonly ToolDefinition[] {
    return this.#set.tools
  }

  /** What the server lists and is not there, or not wholly, and why. */
  get problems(): readonly McpProblem[] {
    return this.#set.problems
  }

  /** The fingerprint of each tool by the server's own name: keep them, and give them as `fingerprints` the next time. */
  get fingerprints(): { readonly [name: string]: string } {
    return this.#set.fingerprints
  }

  /** Names of tools that are denied because they are not what was accepted. */
  get waiting(): readonly string[] {
    return this.#set.waiting
  }

  /** Calls the listener at every change; the result takes it off again. What it throws is dropped. */
  on(event: 'change', listener: (change: McpChange) => void): () => void {
    if (event !== 'change' || typeof listener !== 'function')
      throw new ToolgateError('INVALID_OPTIONS', 'on takes "change" and a function')
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Accepts the changed definition of a tool, or of all. */
  accept(name?: string): void {
    this.#set.accept(name)
  }

  /**
   * Reads the server's list now.
   * @throws ToolgateError if there is none; the tools stay as they were.
   */
  refresh(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#isStale = true
      return this.#reading
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Takes the tools away and stops following; closes the connection if a function made it. Idempotent. */
  async dispose(): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#ended.abort(new ToolgateError('DISPOSED', 'The tools of this MCP server were disposed'))
    clearTimeout(this.#timer)
    this.#set.clear()
    this.#listeners.clear()
    const subscription = await this.#subscription
    await subscription?.close().catch(() => {})
    await this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }

  #tell(change: McpChange): void {
    for (const listener of [...this.#listeners])
      try {
        listener(Object.freeze(change))
      } catch {}
  }

  #connected(client: McpClient): void {
    const { follow = true } = this.#options
    if (follow) {
      onNotification(client, LIST_CHANGED, () => this.#readSoon())
      if (client.getProtocolEra?.() === 'modern' && client.listen !== undefined)
        this.#subscription = client
          .listen({ toolsListChanged: true }, { timeout: LISTEN_MS })
          .catch(() => undefined)
    }
    if (this.#wasConnected) {
      this.#tell({ kind: 'reconnected' })
      this.#readSoon()
    }
    this.#wasConnected = true
  }

  /** One list for many notices in a row; a server that never stops is not read all the time. */
  #readSoon(): void {
    if (this.#ended.signal.aborted || this.#timer !== undefined) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.refresh().catch(error => this.#tell({ kind: 'failed', error }))
      },
      Math.max(this.#options.followDelayMs ?? 100, this.#pace.next()),
    )
  }

  async #read(): Promise<void> {
    this.#isStale = false
    const { prefix = '', signal: given } = this.#options
    const ended = this.#ended.signal
    const signal = given !== undefined && this.#isFirst ? AbortSignal.any([ended, given]) : ended
    const client = await this.#orEnded(this.#connection.client(), signal)
    // A change between the list and the listening would go unheard.
    await this.#orEnded(Promise.resolve(this.#subscription), signal)
    const listed = await listTools(client, prefix, this.#options, signal)
    this.#isFirst = false
    if (this.#ended.signal.aborted) throw this.#ended.signal.reason
    await this.#set.take(listed)
    if (this.#isStale) this.#readSoon()
  }

  async #orEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
    let onAbort: (() => void) | undefined
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort)
    })
    try {
      return await Promise.race([promise, aborted])
    } finally {
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
    }
  }

  readonly #send = async (
    listing: McpToolListing,
    args: JsonObject,
    context: ToolContext,
  ): Promise<unknown> => {
    if (this.#set.isDenied(listing.name))
      throw new ToolgateError(
        'DEFINITION_CHANGED',
        `The MCP server has changed tool ${quoted(context.name)} since it was accepted; the call was not sent. Somebody has to look at it and accept it first`,
      )
    const { timeoutMs = 60_000, maxTimeoutMs = 600_000 } = this.#options
    const client = await this.#orEnded(this.#connection.client(), context.signal)
    return callServer(client, listing, args, context, { timeoutMs, maxTimeoutMs })
  }
}

/**
 * Makes tools of what an MCP server lists. Give it a connected client of either version of the SDK, or a function that
 * makes one and is called again when the connection is lost. With `scope` the tools are registered there and follow the
 * server. One bad tool does not lose the others: see `problems`.
 *
 * A tool's value is the server's structured content, or its text where the server declares no output schema. What the
 * server reports as an error is a failure with the code `TOOL_FAILED` and the server's own text.
 * @throws ToolgateError `INVALID_OPTIONS`, or `CONNECTION_LOST`, `TOOL_TIMEOUT`, `TOOL_FAILED` or `INVALID_TOOL` if there is no list.
 */
export async function mcpTools(
  client: McpClient | McpConnector,
  options: McpToolsOptions = {},
): Promise<McpTools> {
  checkMcpToolsOptions(options)
  if (typeof client !== 'function' && typeof client?.request !== 'function')
    throw new ToolgateError(
      'INVALID_OPTIONS',
      'mcpTools takes a connected client or a function that makes one',
    )
  const tools = new McpTools(client, options)
  try {
    await tools.refresh()
    return tools
  } catch (error) {
    await tools.dispose()
    throw error
  }
}

import { ToolgateError } from '../../index.js'
import type { McpClient, McpConnector } from './mcp-client.js'
import { messageOf } from './read-field.js'

/** How lost connections are made anew. */
export interface McpReconnectOptions {
  /** Attempts after a loss; then the next call tries once more. Default 5. */
  readonly attempts?: number | undefined
  /** The wait before the second attempt; each further one is twice as long, up to 30 s. Default 500 ms. */
  readonly delayMs?: number | undefined
  /** Milliseconds that one attempt may take. Default 30 000. */
  readonly connectTimeoutMs?: number | undefined
}

/** What a connection tells. */
export interface ConnectionEvents {
  /** A client is there: the first one, or one in place of a lost one. */
  connected(client: McpClient): void
  lost(): void
  /** An attempt to connect again has failed. */
  failed(error: unknown): void
}

const LONGEST_DELAY_MS = 30_000
/** How long the end waits for an attempt under way to be taken back. */
const TAKE_BACK_MS = 6_000
/** A connection that lasted less counts as one more failed attempt. */
const STABLE_MS = 10_000

const disposed = (): ToolgateError =>
  new ToolgateError('DISPOSED', 'The tools of this MCP server were disposed')

function settledWithin(ms: number, promise: Promise<unknown>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    void promise.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Node keeps a process alive for a timer; nobody waits for this one. */
const letGo = (timer: unknown): void => (timer as { unref?(): void }).unref?.()

/** A client that is made again when its connection is lost, where it came from a function. */
export class Connection {
  readonly #connector: McpConnector | undefined
  readonly #options: McpReconnectOptions
  readonly #events: ConnectionEvents
  #client: McpClient | undefined
  #connecting: Promise<McpClient> | undefined
  #attempting: { readonly abort: AbortController; readonly made: Promise<unknown> } | undefined
  #isClosed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #since = 0

  constructor(given: McpClient | McpConnector, options: McpReconnectOptions, events: ConnectionEvents) {
    this.#connector = typeof given === 'function' ? given : undefined
    this.#client = typeof given === 'function' ? undefined : given
    this.#options = options
    this.#events = events
    if (this.#client !== undefined) this.#watch(this.#client)
  }

  /**
   * The client, connected first where that is needed and possible.
   * @throws ToolgateError `CONNECTION_LOST` or `DISPOSED`
   */
  async client(): Promise<McpClient> {
    if (this.#isClosed) throw disposed()
    return this.#client ?? this.#connect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // A client that somebody else made is theirs to close.
    if (this.#connector === undefined) return
    const attempt = this.#attempting
    if (attempt !== undefined) {
      attempt.abort.abort(disposed())
      await settledWithin(TAKE_BACK_MS, attempt.made)
    }
    await this.#client?.close?.()
  }

  #connect(): Promise<McpClient> {
    clearTimeout(this.#timer)
    this.#connecting ??= this.#make().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #make(): Promise<McpClient> {
    try {
      const client = await this.#connected()
      if (typeof client?.request !== 'function')
        throw new ToolgateError(
          'INVALID_OPTIONS',
          'mcpTools takes a connected client or a function that makes one',
        )
      if (this.#isClosed) {
        await client.close?.()
        throw disposed()
      }
      this.#client = client
      this.#since = Date.now()
      this.#watch(client)
      this.#events.connected(client)
      return client
    } catch (error) {
      if (ToolgateError.isInstance(error)) throw error
      const message = `The MCP server could not be connected: ${messageOf(error)}`
      throw new ToolgateError('CONNECTION_LOST', message, { cause: error, details: { sent: false } })
    }
  }

  /** Whatever comes of an attempt that was given up on is closed. */
  async #connected(): Promise<McpClient | undefined> {
    const { connectTimeoutMs = 30_000 } = this.#options
    const abort = new AbortController()
    const { signal } = abort
    const givenUp = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const timer = setTimeout(
      () => abort.abort(new Error(`it took longer than ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    )
    const made = Promise.resolve(this.#connector?.(signal))
    const late = made.then(client => (signal.aborted ? client?.close?.() : undefined)).catch(() => {})
    this.#attempting = { abort, made: late }
    try {
      return await Promise.race([made, givenUp])
    } finally {
      clearTimeout(timer)
      this.#attempting = undefined
    }
  }

  #watch(client: McpClient): void {
    const before = client.onclose
    client.onclose = () => {
      try {
        before?.call(client)
      } finally {
        this.#lost(client)
      }
    }
  }

  #lost(client: McpClient): void {
    if (this.#client !== client || this.#isClosed) return
    // A client of the host's own may be connected again by the host: it is asked as before.
    if (this.#connector !== undefined) this.#client = undefined
    if (Date.now() - this.#since > STABLE_MS) this.#attempt = 0
    this.#events.lost()
    if (this.#connector !== undefined) this.#retry()
  }

  #retry(): void {
    const { attempts = 5, delayMs = 500 } = this.#options
    if (this.#attempt >= attempts) return
    const wait = this.#attempt === 0 ? 0 : Math.min(delayMs * 2 ** (this.#attempt - 1), LONGEST_DELAY_MS)
    this.#attempt += 1
    this.#timer = setTimeout(() => {
      if (this.#isClosed || this.#client !== undefined) return
      this.#connect().catch(error => {
        this.#events.failed(error)
        if (!this.#isClosed && this.#client === undefined) this.#retry()
      })
    }, wait)
    letGo(this.#timer)
  }
}

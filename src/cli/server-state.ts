import type { ToolRegistry } from 'toolgate'
import { type McpChange, type McpProblem, type McpTools, mcpTools } from 'toolgate/mcp'
import { type ConnectOptions, connectServer } from './connect-server.js'
import { failureReason } from './failure-reason.js'
import type { ServerEntry } from './gateway-config.js'
import { serverLog } from './server-log.js'

/** How a server is doing. */
export type ServerStatus =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }

/** What the gateway needs to run servers. */
export interface ServersOptions {
  readonly registry: ToolRegistry
  readonly version: string
  readonly configPath: string
  /** A line about a server, for whoever runs the command. */
  log(line: string): void
}

const CONNECT_MS = 120_000
const PROBLEMS_TOLD = 20

const problemLine = ({ effect, message }: McpProblem): string => `${effect}: ${message}`

/** One server of the configuration, from its start to its end. */
export class ServerState {
  readonly entry: ServerEntry
  /** Resolves when the server is ready or has failed; never rejects. */
  readonly settled: Promise<void>
  readonly #options: ServersOptions
  readonly #ended = new AbortController()
  readonly #log: (line: string) => void
  /** What the server itself says or does: much of it must not hide how it is doing. */
  readonly #quote: (line: string) => void
  #status: ServerStatus = { kind: 'starting' }
  #tools: McpTools | undefined

  constructor(entry: ServerEntry, options: ServersOptions) {
    this.entry = entry
    this.#options = options
    this.#log = serverLog(entry, options)
    this.#quote = serverLog(entry, options)
    this.settled = this.#start()
  }

  get status(): ServerStatus {
    return this.#status
  }

  get tools(): McpTools | undefined {
    return this.#tools
  }

  /** What is wrong with its tools, and with what the configuration says of them. */
  get problems(): readonly McpProblem[] {
    if (this.#tools === undefined) return []
    const { ask } = this.entry.rules
    const names = new Set(this.#tools.tools.map(({ name }) => name))
    const unknown = (Array.isArray(ask) ? ask : []).filter(name => !names.has(`${this.prefix}${name}`))
    return [
      ...this.#tools.problems,
      ...unknown.map((tool): McpProblem => {
        const message = `Tool ${JSON.stringify(tool)}: "toolgate.ask" names it, and the server has no such tool here, so nothing is asked for it`
        return { tool, effect: 'degraded', code: 'UNKNOWN_TOOL', message }
      }),
    ]
  }

  /** The names that its tools have here begin with this. */
  get prefix(): string {
    return `${this.entry.name}__`
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error('the gateway is ending'))
    await this.settled
    await this.#tools?.dispose()
  }

  async #start(): Promise<void> {
    const { include, exclude, trustAnnotations, timeoutMs } = this.entry.rules
    const { version, configPath } = this.#options
    const connect: Omit<ConnectOptions, 'signal'> = { version, configPath, onLine: line => this.#quote(line) }
    try {
      this.#tools = await mcpTools(signal => connectServer(this.entry, { ...connect, signal }), {
        scope: this.#options.registry,
        prefix: this.prefix,
        include,
        exclude,
        trustAnnotations,
        timeoutMs,
        signal: this.#ended.signal,
        reconnect: { connectTimeoutMs: CONNECT_MS },
        onChange: change => this.#changed(change),
      })
      this.#status = { kind: 'ready' }
      this.#log(`ready, tools: ${this.#tools.tools.length}`)
      const { problems } = this
      for (const problem of problems.slice(0, PROBLEMS_TOLD)) this.#log(problemLine(problem))
      if (problems.length > PROBLEMS_TOLD)
        this.#log(`${problems.length - PROBLEMS_TOLD} more problems; toolgate inspect shows them all`)
    } catch (error) {
      const reason = failureReason(error, this.entry)
      this.#status = { kind: 'failed', reason }
      if (!this.#ended.signal.aborted) this.#log(`did not start: ${reason}`)
    }
  }

  #changed(change: McpChange): void {
    switch (change.kind) {
      case 'disconnected':
        this.#status = { kind: 'failed', reason: 'the connection was lost' }
        this.#log('the connection was lost; connecting again')
        break
      case 'reconnected':
        this.#status = { kind: 'ready' }
        this.#log('is connected again')
        break
      case 'failed':
        this.#log(failureReason(change.error, this.entry))
        break
      case 'changed':
        this.#quote(`has changed the definition of ${change.name}`)
        break
      case 'added':
      case 'removed':
        this.#quote(`has ${change.kind} ${change.name}`)
        break
      default:
        change satisfies never
    }
  }
}

import { createToolRegistry, type PresentationMode, type Stages, type ToolRegistry } from 'toolgate'
import { type McpServing, type McpTransport, serveMcp } from 'toolgate/mcp'
import { quickJsRuntime } from 'toolgate/quickjs'
import type { GatewayConfig } from './gateway-config.js'
import { oneLine } from './one-line.js'
import { Server } from './sdk.js'
import { ServerState, type ServersOptions } from './server-state.js'

/** What a gateway is started with. */
export interface GatewayOptions extends Omit<ServersOptions, 'registry' | 'configPath'> {
  readonly config: GatewayConfig
  readonly mode: PresentationMode
  /** Milliseconds that the first clients wait for servers to start; those that take longer join later. */
  readonly startMs: number
}

/** Servers behind one registry, for any number of clients. */
export interface Gateway {
  readonly registry: ToolRegistry
  readonly servers: readonly ServerState[]
  /** Resolves when every server is ready, has failed, or has had its time. */
  readonly started: Promise<void>
  serve(transport: McpTransport): Promise<McpServing>
  close(): Promise<void>
}

/** Calls that the configuration wants a user to allow. */
function askStage(config: GatewayConfig): Stages {
  const asked = (name: string): boolean =>
    config.servers.some(({ name: server, rules: { ask } }) => {
      const prefix = `${server}__`
      if (ask === undefined || !name.startsWith(prefix)) return false
      return ask === true || ask.includes(name.slice(prefix.length))
    })
  return {
    name: 'gateway-ask',
    preExecute: (call, next) =>
      asked(call.name) ? { kind: 'ask', reason: 'the configuration asks for it' } : next(),
  }
}

function about(server: ServerState): string {
  const { status, entry, prefix, tools } = server
  if (status.kind === 'failed') return `- ${entry.name}: did not start, so it has no tools (${status.reason})`
  if (status.kind === 'starting') return `- ${entry.name}: is still starting; its tools come later`
  const refused = tools?.problems.filter(({ effect }) => effect === 'refused').length ?? 0
  const without = refused === 0 ? '' : `; ${refused} of its tools cannot be used`
  const count = tools?.tools.length ?? 0
  return `- ${entry.name}: ${count} ${count === 1 ? 'tool' : 'tools'}, named ${prefix}…${without}`
}

/** What the model is told of the servers. */
const overview = (servers: readonly ServerState[]): string =>
  `This server is a gateway to these MCP servers:\n${servers.map(about).join('\n')}`

const after = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms).unref()
  })

const ERRORS_TOLD = 5
const ERROR_CHARS = 300

/** The side that speaks to one client. What the client gets wrong is told to whoever runs the gateway. */
function newServer(version: string, instructions: string | undefined, log: (line: string) => void): Server {
  const server = new Server(
    { name: 'toolgate-gateway', title: 'Toolgate gateway', version },
    { capabilities: { tools: { listChanged: true } }, ...(instructions !== undefined && { instructions }) },
  )
  let told = 0
  server.onerror = error => {
    if (++told <= ERRORS_TOLD)
      log(`a client sent what cannot be used: ${oneLine(error.message, ERROR_CHARS)}`)
  }
  return server
}

/** Starts every server of a configuration. One that fails is told of, and the others serve. */
export function startGateway(options: GatewayOptions): Gateway {
  const { config, mode, startMs, version, log } = options
  const registry = createToolRegistry({
    stages: [askStage(config)],
    mode,
    codeRuntime: () => quickJsRuntime(),
  })
  const servers = config.servers.map(
    entry => new ServerState(entry, { registry, version, configPath: config.path, log }),
  )
  const all = Promise.all(servers.map(server => server.settled)).then(() => {})
  const started = Promise.race([all, after(startMs)])
  const sessions = new Set<McpServing>()
  let closing: Promise<void> | undefined
  return {
    registry,
    servers,
    started,
    async serve(transport) {
      await started
      const session = await serveMcp(registry, {
        transport,
        instructions: overview(servers),
        server: instructions => newServer(version, instructions, log),
      })
      sessions.add(session)
      void session.closed.then(() => sessions.delete(session))
      return session
    },
    close() {
      closing ??= (async () => {
        await Promise.allSettled([...sessions].map(session => session.close()))
        await Promise.allSettled(servers.map(server => server.close()))
        await registry.dispose()
      })()
      return closing
    },
  }
}

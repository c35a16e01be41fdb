import type { PresentationMode } from 'toolgate'
import { CliError } from './cli-error.js'
import { CONFIG_VARIABLE } from './connect-server.js'
import { startGateway } from './gateway.js'
import type { SessionLimits } from './http-sessions.js'
import { oneLine } from './one-line.js'
import { readConfig } from './read-config.js'
import { StdioServerTransport } from './sdk.js'
import { serveHttp } from './serve-http.js'
import { untilShutdown } from './until-shutdown.js'
import { WholeLines } from './whole-lines.js'

/** What the command line says of a gateway. */
export interface RunGatewayOptions {
  readonly configFile: string
  readonly mode: PresentationMode
  /** Serve over HTTP on this loopback port instead of stdio; 0 takes a free one. */
  readonly port?: number
  readonly startMs: number
  readonly sessions: SessionLimits
  readonly version: string
}

/** A server's line may hold much; the terminal is the user's. */
const MOST_LOGGED = 10_000

/** Bytes that wait for a client which does not read standard error. */
const MOST_UNREAD = 1024 * 1024

const log = (line: string): void => {
  if (process.stderr.writableLength > MOST_UNREAD) return
  process.stderr.write(`toolgate: ${oneLine(line, MOST_LOGGED)}\n`)
}

/** What every client takes in the name of a tool. */
const SAFE_NAME = /^[\w-]{1,40}$/

/** Standard output carries the protocol and nothing else, whatever a library prints. */
function keepStdoutClean(): void {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
  console.warn = console.error
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

function stdioTransport(): StdioServerTransport {
  const lines = new WholeLines(MAX_MESSAGE_BYTES, () =>
    log(`the client sent a message of more than ${MAX_MESSAGE_BYTES} bytes, which is left out`),
  )
  const maxBufferSize = 2 * MAX_MESSAGE_BYTES
  return new StdioServerTransport(process.stdin.pipe(lines), process.stdout, { maxBufferSize })
}

/** Runs a gateway until it is told to end. */
export async function runGateway(options: RunGatewayOptions): Promise<void> {
  const { configFile, mode, port, startMs, sessions, version } = options
  keepStdoutClean()
  const config = await readConfig(configFile, process.env)
  if (process.env[CONFIG_VARIABLE]?.split('\n').includes(config.path))
    throw new CliError(`${config.path} starts this gateway itself; take the gateway's own entry out of it`)
  for (const warning of config.warnings) log(warning)
  if (mode !== 'code')
    for (const { name } of config.servers.filter(({ name: own }) => !SAFE_NAME.test(own)))
      log(
        `server "${name}": its name begins those of its tools, and some clients take letters, digits, _ and - only`,
      )
  // Each message that waits for a slow client listens for the end of its wait.
  process.stdout.setMaxListeners(0)
  const shutdown = untilShutdown(port === undefined)
  const gateway = startGateway({ config, mode, startMs, version, log })
  try {
    if (port === undefined) {
      const session = await Promise.race([gateway.serve(stdioTransport()), shutdown])
      await (typeof session === 'string' ? session : Promise.race([session.closed, shutdown]))
      return
    }
    const door = await serveHttp(port, transport => gateway.serve(transport), sessions).catch(error => {
      throw new CliError(`port ${port} cannot be used: ${(error as Error).message}`, 1)
    })
    log(`serving at ${door.url}`)
    await shutdown
    await door.close()
  } finally {
    await gateway.close()
  }
}

import { existsSync } from 'node:fs'
import { CliError } from './cli-error.js'
import { connectHttp } from './connect-http.js'
import type { ServerEntry, StdioEntry } from './gateway-config.js'
import { oneLine } from './one-line.js'
import { Client, getDefaultEnvironment } from './sdk.js'
import { secretHider } from './server-secrets.js'
import { StdioTransport } from './stdio-transport.js'

/** What programs are told, so that a gateway notices when it is about to start itself. */
export const CONFIG_VARIABLE = 'TOOLGATE_GATEWAY_CONFIG'

/** What connecting needs beside the entry. */
export interface ConnectOptions {
  readonly version: string
  /** Given to the programs that are started, in `CONFIG_VARIABLE`. */
  readonly configPath: string
  /** Ends an attempt that nobody waits for. */
  readonly signal: AbortSignal
  /** A line that a program wrote to its standard error. */
  onLine(line: string): void
}

const KEPT_LINES = 5
const LINE_CHARS = 200
/** The attempt's signal is what bounds it. */
const LONGEST_MS = 2 ** 31 - 1

function startFailure(entry: StdioEntry, error: unknown, said: readonly string[]): Error {
  const { code, message } = error as { code?: unknown; message?: string }
  if (code === 'ENOENT' && entry.cwd !== undefined && !existsSync(entry.cwd))
    return new CliError(`its "cwd" ${entry.cwd} was not found`)
  if (code === 'ENOENT') return new CliError(`the command "${entry.command}" was not found`)
  // One long line must not hide the last one, which says most.
  const hide = secretHider(entry)
  const lines = said.map(line => oneLine(hide(line), LINE_CHARS))
  const spoken = lines.length > 0 ? `; it said: ${lines.join(' / ')}` : ''
  const reason = message?.endsWith('Connection closed')
    ? 'it ended before it was ready'
    : (message ?? String(error))
  return new CliError(`${reason}${spoken}`)
}

async function connectStdio(entry: StdioEntry, options: ConnectOptions): Promise<Client> {
  const { command, args, env, cwd } = entry
  const marked = [process.env[CONFIG_VARIABLE], options.configPath].filter(Boolean).join('\n')
  const said: string[] = []
  let isGarbageTold = false
  const transport = new StdioTransport(
    {
      command,
      args,
      env: { ...getDefaultEnvironment(), ...env, [CONFIG_VARIABLE]: marked },
      ...(cwd !== undefined && { cwd }),
    },
    {
      onLine: line => {
        said.push(line)
        if (said.length > KEPT_LINES) said.shift()
        options.onLine(line)
      },
      onGarbage: line => {
        if (!isGarbageTold)
          options.onLine(
            `wrote to standard output what is no message of the protocol: ${oneLine(line, LINE_CHARS)}`,
          )
        isGarbageTold = true
      },
    },
  )
  const client = new Client({ name: 'toolgate', version: options.version })
  let closing: Promise<void> | undefined
  const close = (): void => {
    closing ??= transport.close().catch(() => {})
  }
  options.signal.addEventListener('abort', close)
  try {
    await client.connect(transport as never, { timeout: LONGEST_MS })
    return client
  } catch (error) {
    close()
    await closing
    throw startFailure(entry, error, said)
  } finally {
    options.signal.removeEventListener('abort', close)
  }
}

/** Starts or reaches a server. @throws with what a user can act on */
export const connectServer = (entry: ServerEntry, options: ConnectOptions): Promise<Client> =>
  entry.kind === 'stdio' ? connectStdio(entry, options) : connectHttp(entry, options)

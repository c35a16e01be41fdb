import { parseArgs } from 'node:util'
import type { PresentationMode } from 'toolgate'
import { CliError } from './cli-error.js'
import type { SessionLimits } from './http-sessions.js'
import { nearest } from './nearest.js'
import { DEFAULT_FILE } from './read-config.js'

/** What the user asked for. */
export type Command =
  | { readonly kind: 'help' | 'version' }
  | {
      readonly kind: 'gateway'
      readonly configFile: string
      readonly mode: PresentationMode
      readonly port?: number
      readonly startMs: number
      readonly sessions: SessionLimits
    }
  | { readonly kind: 'inspect'; readonly configFile: string; readonly json: boolean }

export const HELP = `toolgate: MCP servers behind one gateway

  toolgate gateway [config.json] [options]   serve all servers of a file as one
  toolgate inspect [config.json] [--json]    show their tools, problems and cost

The file has the usual "mcpServers": { "name": { "command", "args", "env", "cwd" } or { "url", "headers" } }, or "servers"
as VS Code has it.
Without a file it is .mcp.json of this folder. \${NAME} and \${NAME:-default} stand for environment variables.

Options of gateway:
  --mode code|native|both   one tool that runs programs (code, the default), the servers' own tools, or both
  --http PORT               serve streamable HTTP on 127.0.0.1:PORT/mcp instead of stdio; 0 takes a free port
  --start-timeout SECONDS   how long clients wait for servers to start; later ones join when they are ready (20)
  --session-idle SECONDS    with --http: silence after which a client's session is ended; 0 for never (1800)
  --max-sessions NUMBER     with --http: clients at a time (100)

Options of a server, under its key "toolgate":
  include: ["tool", ...]    only these tools
  exclude: ["tool", ...]    not these tools
  ask: true or [...]        a user must allow each call, by the client's own dialogue
  trustAnnotations: true    believe the server's hints: read-only tools may run at the same time
  timeoutMs: 60000          silence after which a call fails

  --help, --version
`

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  mode: { type: 'string' },
  http: { type: 'string' },
  'start-timeout': { type: 'string' },
  'session-idle': { type: 'string' },
  'max-sessions': { type: 'string' },
  json: { type: 'boolean' },
} as const

const GATEWAY_OPTIONS = ['mode', 'http', 'start-timeout', 'session-idle', 'max-sessions'] as const
const HTTP_OPTIONS = ['session-idle', 'max-sessions'] as const
const COMMANDS = ['gateway', 'inspect', 'help', 'version']
const MODES: readonly string[] = ['code', 'native', 'both']
const SEE_HELP = 'See toolgate --help'

const didYouMean = (given: string, known: readonly string[]): string => {
  const meant = nearest(given, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function parsed(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const option = /'(--?[^' ]+)/.exec(message)?.[1]
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && option !== undefined) {
      const known = Object.keys(OPTIONS).map(name => `--${name}`)
      throw new CliError(`There is no option ${option}.${didYouMean(option, known)} ${SEE_HELP}`)
    }
    throw new CliError(`${message.split('. ', 1)[0]}. ${SEE_HELP}`)
  }
}

// The type of what `parseArgs` gives depends on its options, so it is had from here.
const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })

function wholeNumber(option: string, given: string, most: number, least = 0): number {
  const value = Number(given)
  if (given.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new CliError(`${option} takes a whole number from ${least} to ${most}, not "${given}"`)
}

/** Reads the command line. @throws CliError saying what would work */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  const [name, configFile = DEFAULT_FILE, ...more] = positionals
  if (values.help || name === 'help' || (name === undefined && !values.version)) return { kind: 'help' }
  if (values.version || name === 'version') return { kind: 'version' }
  if (more.length > 0) throw new CliError(`${name} takes one file; "${more[0]}" is one too many. ${SEE_HELP}`)
  const only = (option: keyof typeof OPTIONS, command: string): void => {
    if (values[option] !== undefined && name !== command)
      throw new CliError(`--${option} belongs to ${command}. ${SEE_HELP}`)
  }
  if (name !== 'gateway' && name !== 'inspect')
    throw new CliError(`There is no command "${name}".${didYouMean(name ?? '', COMMANDS)} ${SEE_HELP}`)
  for (const option of GATEWAY_OPTIONS) only(option, 'gateway')
  only('json', 'inspect')
  if (name === 'inspect') return { kind: 'inspect', configFile, json: values.json ?? false }
  const mode = values.mode ?? 'code'
  if (!MODES.includes(mode)) throw new CliError(`--mode takes code, native or both, not "${mode}"`)
  for (const option of HTTP_OPTIONS)
    if (values[option] !== undefined && values.http === undefined)
      throw new CliError(`--${option} belongs to --http. ${SEE_HELP}`)
  const idleSeconds = wholeNumber('--session-idle', values['session-idle'] ?? '1800', 604_800)
  return {
    kind: 'gateway',
    configFile,
    mode: mode as PresentationMode,
    ...(values.http !== undefined && { port: wholeNumber('--http', values.http, 65_535) }),
    startMs: wholeNumber('--start-timeout', values['start-timeout'] ?? '20', 86_400) * 1000,
    sessions: {
      idleMs: idleSeconds === 0 ? Number.POSITIVE_INFINITY : idleSeconds * 1000,
      maxSessions: wholeNumber('--max-sessions', values['max-sessions'] ?? '100', 10_000, 1),
    },
  }
}

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CliError } from './cli-error.js'
import { isObject } from './entry-reader.js'
import type { GatewayConfig, ServerEntry } from './gateway-config.js'
import { nearest } from './nearest.js'
import { oneLine } from './one-line.js'
import { parseConfigText } from './parse-config-text.js'
import { readServer } from './read-server.js'

/** What is read where no file is named. */
export const DEFAULT_FILE = '.mcp.json'

/** Where servers are: as most programs call it, and as VS Code does. */
const SERVER_KEYS = ['mcpServers', 'servers']
/** Keys that other programs have at the top of such files, and ours. */
const TOP_KEYS = [...SERVER_KEYS, '$schema', 'inputs', 'preferences', 'globalShortcut']
/** Keys by which other programs switch servers off, or on alone. */
const SWITCHES = [
  'allowMCPServers',
  'excludeMCPServers',
  'enabledMcpjsonServers',
  'disabledMcpjsonServers',
  'allowedMcpServers',
  'deniedMcpServers',
]

type Fields = { readonly [name: string]: unknown }

/** What to do about a file that has no servers where they are looked for. */
function hintOf(value: Fields): string {
  const keys = Object.keys(value)
  const slip = keys.find(key => nearest(key, ['mcpServers']) !== undefined)
  if (slip !== undefined) return `; did you mean "mcpServers" where it says "${slip}"?`
  if (value.context_servers !== undefined) return '; rename "context_servers" to it'
  const { mcp } = value
  if (!isObject(mcp)) return ''
  const inside = SERVER_KEYS.find(key => mcp[key] !== undefined)
  return inside === undefined
    ? '; write the servers of "mcp" there'
    : `; take "${inside}" out of "mcp" and put it at the top`
}

function serversOf(path: string, value: unknown): Fields {
  if (!isObject(value)) throw new CliError(`${path} must hold an object with "mcpServers"`)
  const there = SERVER_KEYS.filter(key => value[key] !== undefined)
  const [key] = there
  if (key === undefined) throw new CliError(`${path} has no "mcpServers"${hintOf(value)}`)
  if (there.length > 1)
    throw new CliError(`${path} has "mcpServers" and "servers"; put all of them under one of the two`)
  const servers = value[key]
  if (!isObject(servers))
    throw new CliError(`${path}: "${key}" must be an object with one entry for each server`)
  return servers
}

/** Faults of keys by which servers are switched off elsewhere: to ignore them would start those servers. */
function switchFaults(value: Fields): string[] {
  const inner = isObject(value.mcp) ? value.mcp : {}
  const keys = [
    ...SWITCHES.filter(key => value[key] !== undefined),
    ...['allowed', 'excluded'].filter(key => inner[key] !== undefined).map(key => `mcp.${key}`),
  ]
  return keys.map(
    key => `"${key}" is not read; write "disabled": true in each server that is not to run, and take it out`,
  )
}

const shown = (name: string): string => oneLine(JSON.stringify(name), 100)

/**
 * Faults of names that cannot be told apart: those that read the same, and those where a tool of one server could have the
 * name of a tool of another.
 */
function nameFaults(servers: readonly ServerEntry[]): string[] {
  const prefixes = servers.map(({ name }) => ({ name, prefix: `${name.normalize('NFKC')}__` }))
  return prefixes.flatMap(({ name, prefix }, i) =>
    prefixes.flatMap((other, j) => {
      if (i === j || !prefix.startsWith(other.prefix) || (prefix === other.prefix && j < i)) return []
      return prefix === other.prefix
        ? [`server ${shown(name)}: its name reads like that of another server; rename one`]
        : [
            `server ${shown(name)}: its tools would be named ${shown(`${name}__…`)}, as tools of server ${shown(other.name)} can be; rename one`,
          ]
    }),
  )
}

function topWarnings(path: string, value: Fields): string[] {
  const unused = Object.keys(value).filter(key => !TOP_KEYS.includes(key))
  if (unused.length === 0) return []
  const names = unused.slice(0, 10).map(shown).join(', ')
  const more = unused.length > 10 ? ` and ${unused.length - 10} more` : ''
  return [`${path}: ${names}${more} ${unused.length === 1 ? 'is' : 'are'} not used`]
}

/** Checks what a file says. @throws CliError naming every fault */
export function checkConfig(
  path: string,
  value: unknown,
  environment: { readonly [name: string]: string | undefined },
): GatewayConfig {
  const given = serversOf(path, value)
  const warnings = topWarnings(path, value as Fields)
  const faults = switchFaults(value as Fields)
  const servers: ServerEntry[] = []
  for (const [name, entry] of Object.entries(given)) {
    const read = readServer(name, entry, environment)
    faults.push(...read.faults)
    warnings.push(...read.warnings.map(warning => `${path}: ${warning}`))
    if (read.entry !== undefined) servers.push(read.entry)
  }
  faults.push(...nameFaults(servers))
  if (faults.length > 0)
    throw new CliError(`${path} cannot be used:\n${faults.map(fault => `- ${oneLine(fault)}`).join('\n')}`)
  if (servers.length === 0) throw new CliError(`${path} names no server that is switched on`)
  return { path, servers, warnings }
}

/** Reads and checks a configuration file. @throws CliError */
export async function readConfig(
  file: string,
  environment: { readonly [name: string]: string | undefined },
): Promise<GatewayConfig> {
  const path = resolve(file)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    const hint = file === DEFAULT_FILE ? '; name yours, as in toolgate gateway config.json' : ''
    if (code === 'ENOENT') throw new CliError(`There is no file ${path}${hint}`)
    if (code === 'EISDIR') throw new CliError(`${path} is a folder; give the file in it`)
    throw new CliError(`${path} could not be read: ${(error as Error).message}`)
  }
  return checkConfig(path, parseConfigText(path, text), environment)
}

import { EntryReader, type Environment, isObject } from './entry-reader.js'
import { FOREIGN_KEYS, tellForeignKeys } from './foreign-keys.js'
import type { ServerEntry } from './gateway-config.js'
import { LIST_KEYS, readRules } from './read-rules.js'
import { hasUnseen } from './unseen.js'

/** Keys that say what kind of server it is: every program has its own name for that. */
const TYPE_KEYS = ['type', 'transport', 'transportType']
const TYPES: { readonly [type: string]: 'stdio' | 'http' | 'sse' } = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  sse: 'sse',
}
/** Keys of an address, and what they say of the kind. */
const ADDRESS_KEYS: { readonly [key: string]: 'http' | undefined } = {
  url: undefined,
  serverUrl: undefined,
  httpUrl: 'http',
}
const STDIO_KEYS = ['args', 'env', 'cwd']
const HTTP_KEYS = ['headers']

/** Keys of a server's entry that mean something here. */
const KEYS = [
  'command',
  ...STDIO_KEYS,
  ...Object.keys(ADDRESS_KEYS),
  ...HTTP_KEYS,
  ...TYPE_KEYS,
  'disabled',
  'enabled',
  'toolgate',
  ...LIST_KEYS,
]

/** What came of reading one entry: what it says, or what is wrong with it. Neither, if it is switched off. */
export interface ReadServer {
  readonly entry?: ServerEntry
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

type Fields = { readonly [key: string]: unknown }

function checkName(reader: EntryReader, name: string): void {
  if (name.trim() === '') reader.fault('its name is blank')
  else if (name !== name.trim()) reader.fault('its name begins or ends with a space')
  if (hasUnseen(name)) reader.fault('its name has characters that cannot be seen')
}

function readUrl(reader: EntryReader, key: string, value: unknown): URL | undefined {
  const text = reader.text(key, value)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url
  reader.fault(`"${key}" must be an address that begins with http:// or https://`)
  return undefined
}

/** The one kind that the entry tells, by whatever keys. */
function readKind(reader: EntryReader, given: Fields): 'stdio' | 'http' | 'sse' | undefined {
  const kinds = TYPE_KEYS.flatMap(key => {
    const said = given[key]
    if (said === undefined) return []
    const kind = typeof said === 'string' && Object.hasOwn(TYPES, said) ? TYPES[said] : undefined
    if (kind === undefined) reader.fault(`"${key}" must be one of ${Object.keys(TYPES).join(', ')}`)
    return kind === undefined ? [] : [kind]
  })
  if (new Set(kinds).size > 1) reader.fault('it tells two types; only one can be meant')
  return kinds[0]
}

/** Whether the entry is switched on. What is neither true nor false would switch on what was meant to be off. */
function isOn(reader: EntryReader, { disabled, enabled }: Fields): boolean {
  for (const [key, value] of Object.entries({ disabled, enabled }))
    if (value !== undefined && typeof value !== 'boolean') reader.fault(`"${key}" must be true or false`)
  return disabled !== true && enabled !== false
}

function without(reader: EntryReader, given: Fields, keys: readonly string[], what: string): void {
  for (const key of keys) if (given[key] !== undefined) reader.warn(`"${key}" is not used for a ${what}`)
}

/** Reads one entry of `mcpServers`. */
export function readServer(name: string, raw: unknown, environment: Environment): ReadServer {
  const reader = new EntryReader(`server ${JSON.stringify(name)}: `, environment)
  const { faults, warnings } = reader
  const done = (entry?: ServerEntry): ReadServer => ({
    ...(entry !== undefined && faults.length === 0 && { entry }),
    faults,
    warnings,
  })
  if (!isObject(raw)) {
    reader.fault('its entry must be an object')
    return done()
  }
  // Some programs write what is not there as null.
  const given: Fields = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
  if (!isOn(reader, given)) return done()
  checkName(reader, name)
  reader.keys(given, [...KEYS, ...FOREIGN_KEYS], '')
  tellForeignKeys(reader, given)
  const rules = readRules(reader, given)
  const kind = readKind(reader, given)
  const { command } = given
  const addresses = Object.keys(ADDRESS_KEYS).filter(key => given[key] !== undefined)
  const ways = [...(command === undefined ? [] : ['command']), ...addresses]
  const [way] = ways
  if (way === undefined) reader.fault('it needs a "command" or a "url"')
  if (way === undefined) return done()
  if (ways.length > 1)
    reader.fault(`it has ${ways.map(key => `"${key}"`).join(' and ')}; only one can be meant`)
  if (way === 'command') {
    if (kind !== undefined && kind !== 'stdio') reader.fault(`a "command" cannot be of the type "${kind}"`)
    if (Array.isArray(command)) reader.fault('"command" is the program alone; the rest belongs in "args"')
    without(reader, given, HTTP_KEYS, '"command"')
    const cwd = reader.text('cwd', given.cwd)
    return done({
      kind: 'stdio',
      name,
      rules,
      command: (Array.isArray(command) ? undefined : reader.text('command', command)) ?? '',
      args: reader.texts('args', given.args),
      env: reader.map('env', given.env),
      ...(cwd !== undefined && { cwd }),
    })
  }
  if (kind === 'stdio') reader.fault('the type "stdio" needs a "command"')
  if (kind === 'sse' && ADDRESS_KEYS[way] === 'http') reader.fault(`"${way}" cannot be of the type "sse"`)
  without(reader, given, STDIO_KEYS, `"${way}"`)
  const url = readUrl(reader, way, given[way])
  const headers = reader.map('headers', given.headers)
  if (url === undefined) return done()
  return done({
    kind: kind === 'http' || kind === 'sse' ? kind : (ADDRESS_KEYS[way] ?? 'http-or-sse'),
    name,
    rules,
    url,
    headers,
  })
}

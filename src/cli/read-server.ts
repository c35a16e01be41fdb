import type { ServerEntry, ServerRules } from './gateway-config.js'
import { nearest } from './nearest.js'

/** Keys of a server's entry that mean something here. */
const KEYS = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'transport', 'disabled', 'toolgate']
const RULE_KEYS = ['include', 'ask', 'trustAnnotations', 'timeoutMs']
const TYPES: { readonly [type: string]: 'stdio' | 'http' | 'sse' } = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
}

type Environment = { readonly [name: string]: string | undefined }

/** What came of reading one entry: what it says, or what is wrong with it. Neither, if it is switched off. */
export interface ReadServer {
  readonly entry?: ServerEntry
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** True for objects that are no arrays. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** Collects faults while it reads the fields of one entry. */
class EntryReader {
  readonly faults: string[] = []
  readonly warnings: string[] = []
  readonly #where: string
  readonly #environment: Environment

  constructor(where: string, environment: Environment) {
    this.#where = where
    this.#environment = environment
  }

  fault(message: string): void {
    this.faults.push(`${this.#where}${message}`)
  }

  keys(given: object, known: readonly string[], inside: string): void {
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue
      const meant = nearest(key, known)
      if (meant !== undefined) this.fault(`${inside}"${key}" is unknown; did you mean "${meant}"?`)
      else this.warnings.push(`${this.#where}${inside}"${key}" is not used`)
    }
  }

  /** `${NAME}` and `${NAME:-default}` stand for variables of the environment. */
  expand(field: string, text: string): string {
    return text.replace(VARIABLE, (_all, name: string, otherwise: string | undefined) => {
      const value = this.#environment[name] ?? otherwise
      if (value === undefined)
        this.fault(`"${field}" needs the environment variable ${name}, which is not set`)
      return value ?? ''
    })
  }

  text(field: string, value: unknown): string | undefined {
    if (value === undefined) return undefined
    if (typeof value === 'string' && value !== '') return this.expand(field, value)
    this.fault(`"${field}" must be a text that is not empty`)
    return undefined
  }

  texts(field: string, value: unknown): string[] {
    if (value === undefined) return []
    if (isTexts(value)) return value.map(item => this.expand(field, item))
    this.fault(`"${field}" must be an array of texts`)
    return []
  }

  map(field: string, value: unknown): { [name: string]: string } {
    if (value === undefined) return {}
    if (!isObject(value)) {
      this.fault(`"${field}" must be an object of texts`)
      return {}
    }
    const entries = Object.entries(value).flatMap(([name, item]) => {
      if (typeof item === 'string') return [[name, this.expand(`${field}.${name}`, item)] as const]
      if (typeof item === 'number' || typeof item === 'boolean') return [[name, String(item)] as const]
      this.fault(`"${field}.${name}" must be a text`)
      return []
    })
    return Object.fromEntries(entries)
  }
}

function readRules(reader: EntryReader, given: unknown): ServerRules {
  if (given === undefined) return {}
  if (!isObject(given)) {
    reader.fault('"toolgate" must be an object')
    return {}
  }
  reader.keys(given, RULE_KEYS, 'toolgate: ')
  const { include, ask, trustAnnotations, timeoutMs } = given
  if (include !== undefined && !isTexts(include))
    reader.fault('"toolgate.include" must be an array of tool names')
  if (ask !== undefined && ask !== true && !isTexts(ask))
    reader.fault('"toolgate.ask" must be true or an array of tool names')
  if (trustAnnotations !== undefined && typeof trustAnnotations !== 'boolean')
    reader.fault('"toolgate.trustAnnotations" must be true or false')
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    reader.fault('"toolgate.timeoutMs" must be a positive number of milliseconds')
  return given as ServerRules
}

function readUrl(reader: EntryReader, value: unknown): URL | undefined {
  const text = reader.text('url', value)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url
  reader.fault(`"url" must be an address that begins with http:// or https://`)
  return undefined
}

/** Reads one entry of `mcpServers`. */
export function readServer(name: string, given: unknown, environment: Environment): ReadServer {
  const reader = new EntryReader(`server "${name}": `, environment)
  const { faults, warnings } = reader
  const done = (entry?: ServerEntry): ReadServer => ({
    ...(entry !== undefined && faults.length === 0 && { entry }),
    faults,
    warnings,
  })
  if (name.trim() === '') reader.fault('its name is blank')
  if (!isObject(given)) {
    reader.fault('its entry must be an object')
    return done()
  }
  if (given.disabled === true) return { faults: [], warnings: [] }
  reader.keys(given, KEYS, '')
  const rules = readRules(reader, given.toolgate)
  const said = given.type ?? given.transport
  const type = typeof said === 'string' && Object.hasOwn(TYPES, said) ? TYPES[said] : undefined
  if (said !== undefined && type === undefined)
    reader.fault(`"type" must be one of ${Object.keys(TYPES).join(', ')}`)
  const { command, url } = given
  if (command === undefined && url === undefined) reader.fault('it needs a "command" or a "url"')
  if (command !== undefined && url !== undefined)
    reader.fault('it has a "command" and a "url"; only one can be meant')
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      reader.fault(`a "command" cannot be of the type "${String(said)}"`)
    const cwd = reader.text('cwd', given.cwd)
    return done({
      kind: 'stdio',
      name,
      rules,
      command: reader.text('command', command) ?? '',
      args: reader.texts('args', given.args),
      env: reader.map('env', given.env),
      ...(cwd !== undefined && { cwd }),
    })
  }
  if (type === 'stdio') reader.fault('the type "stdio" needs a "command"')
  const address = readUrl(reader, url)
  const headers = reader.map('headers', given.headers)
  if (address === undefined) return done()
  return done({
    kind: type === 'http' || type === 'sse' ? type : 'http-or-sse',
    name,
    rules,
    url: address,
    headers,
  })
}

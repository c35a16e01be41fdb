import { boundedFetch } from './bounded-fetch.js'
import { CliError } from './cli-error.js'
import type { HttpEntry } from './gateway-config.js'
import { oneLine } from './one-line.js'
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from './sdk.js'

/** What reaching a server at an address needs beside its entry. */
export interface ConnectHttpOptions {
  readonly version: string
  /** Ends an attempt that nobody waits for. */
  readonly signal: AbortSignal
  /** A line about the server. */
  onLine(line: string): void
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** The attempt's signal is what bounds it. */
const LONGEST_MS = 2 ** 31 - 1
const SHOWN = 200

type MakeTransport = (
  url: URL,
  options: { readonly requestInit: RequestInit; readonly fetch: typeof fetch },
) => StreamableHTTPClientTransport | SSEClientTransport

const streamable: MakeTransport = (url, options) => new StreamableHTTPClientTransport(url, options)
const sse: MakeTransport = (url, options) => new SSEClientTransport(url, options)

async function connect(
  make: MakeTransport,
  { url, headers }: HttpEntry,
  { version, signal, onLine }: ConnectHttpOptions,
): Promise<Client> {
  const client = new Client({ name: 'toolgate', version })
  let tooMuch: CliError | undefined
  const fetch = boundedFetch(MAX_MESSAGE_BYTES, () => {
    tooMuch = new CliError(`it answered with a message of more than ${MAX_MESSAGE_BYTES} bytes`)
    onLine(tooMuch.message)
    void client.close().catch(() => {})
  })
  const transport = make(url, { requestInit: { headers: { ...headers } }, fetch })
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
  })
  try {
    await Promise.race([client.connect(transport as never, { signal, timeout: LONGEST_MS }), aborted])
    return client
  } catch (error) {
    await transport.close().catch(() => {})
    throw tooMuch ?? error
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

const statusOf = (error: unknown): number | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'number' && code >= 300 && code < 600 ? code : undefined
}

/** Servers that know the older transport only answer the newer one's first message with such a status. */
const meansOlder = (error: unknown): boolean => [400, 404, 405].includes(statusOf(error) ?? 0)

/** What a status means to whoever wrote the address. */
function explained(error: unknown): unknown {
  const status = statusOf(error)
  if (status === undefined) return error
  const said = (error as Error).message
    .replace(/^(?:Streamable HTTP|SSE) error: /, '')
    .replace(/^Error POSTing to endpoint(?: \(HTTP \d+\))?: /, '')
  const hint =
    status === 401 || status === 403
      ? `; it wants to know who asks: write "headers": {"Authorization": "Bearer \${TOKEN}"} and set that environment variable`
      : ''
  const text = said.trim() === '' ? '' : `, ${oneLine(said.trim(), SHOWN)}`
  return new CliError(`the address answers with HTTP ${status}${hint}${text}`)
}

/** Reaches a server at an address: as its type says, else by the newer transport and then by the older one. */
export async function connectHttp(entry: HttpEntry, options: ConnectHttpOptions): Promise<Client> {
  try {
    if (entry.kind === 'sse') return await connect(sse, entry, options)
    return await connect(streamable, entry, options)
  } catch (error) {
    if (entry.kind !== 'http-or-sse' || !meansOlder(error)) throw explained(error)
    // Where there is neither, what the first one was answered says more.
    return await connect(sse, entry, options).catch(() => {
      throw explained(error)
    })
  }
}

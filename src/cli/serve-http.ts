import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServing, McpTransport } from 'toolgate/mcp'
import { HttpSessions, type SessionLimits } from './http-sessions.js'
import { StreamableHTTPServerTransport } from './sdk.js'

/** A gateway's door on the loopback interface. */
export interface HttpDoor {
  readonly url: string
  close(): Promise<void>
}

const PATH = '/mcp'
const LOOPBACK = '127.0.0.1'
const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]']

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message } }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error))
}

const isLocal = (url: string): boolean => URL.canParse(url) && LOCAL_NAMES.includes(new URL(url).hostname)

/** The path of a request; `undefined` where its target is no address, such as `//`. */
const pathOf = (target: string): string | undefined =>
  URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost').pathname : undefined

/**
 * Whether a request was meant for this address. A page of another origin can reach a loopback port, and by DNS rebinding it
 * can do so under a name of its own: both show in these headers.
 */
export function isMeantForHere(headers: IncomingMessage['headers'], port: number): boolean {
  const { host, origin } = headers
  if (
    host === undefined ||
    !LOCAL_NAMES.some(name => host === `${name}:${port}` || (port === 80 && host === name))
  )
    return false
  return origin === undefined || isLocal(origin)
}

/** Serves each client that comes to a loopback port, over streamable HTTP. */
export async function serveHttp(
  port: number,
  serve: (transport: McpTransport) => Promise<McpServing>,
  limits: SessionLimits,
): Promise<HttpDoor> {
  const sessions = new HttpSessions(limits)
  let actualPort = port

  /** Lets one more client in, if its message is an "initialize": anything else the transport refuses. */
  async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await sessions.reserve()))
      return refuse(
        response,
        503,
        'There are as many sessions as there may be, and all are at work; try again later',
      )
    let opened: string | undefined
    try {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: id => {
          opened = id
          sessions.add(id, { transport, serving })
          response.once('close', sessions.opened(id))
        },
      })
      const serving = await serve(transport as McpTransport)
      await transport.handleRequest(request, response)
      if (opened === undefined) await serving.close()
    } finally {
      sessions.release()
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isMeantForHere(request.headers, actualPort))
      return refuse(response, 403, 'This host or origin is not allowed')
    if (pathOf(request.url ?? '/') !== PATH)
      return refuse(response, 404, `There is nothing here; the server is at ${PATH}`)
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.get(id)
      if (session === undefined) return refuse(response, 404, 'There is no such session; begin a new one')
      response.once('close', sessions.opened(id))
      return session.transport.handleRequest(request, response)
    }
    if (request.method !== 'POST')
      return refuse(response, 400, 'A session begins with a POST of "initialize"')
    await open(request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(error => {
      if (!response.headersSent) refuse(response, 500, `The gateway failed: ${(error as Error).message}`)
      else response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  actualPort = (server.address() as AddressInfo).port
  return {
    url: `http://${LOOPBACK}:${actualPort}${PATH}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

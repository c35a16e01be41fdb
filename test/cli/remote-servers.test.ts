import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boundedFetch } from '../../src/cli/bounded-fetch.js'
import { connectHttp } from '../../src/cli/connect-http.js'
import type { HttpEntry } from '../../src/cli/gateway-config.js'

const EVENTS = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }
const seen: string[] = []

/** Writes without end, until nobody reads any more. */
function endless(response: ServerResponse, chunk: string): void {
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

const answers: { readonly [path: string]: (response: ServerResponse, request: IncomingMessage) => void } = {
  '/401': response => response.writeHead(401).end(`<html>${'x'.repeat(5_000)}</html>`),
  '/403': response => response.writeHead(403).end(),
  '/500': response => response.writeHead(500).end('oops'),
  '/away': response => response.writeHead(307, { location: 'http://localhost:1/' }).end(),
  '/hangs': () => {},
  '/endless-json': response => endless(response.writeHead(200, JSON_TYPE), 'x'.repeat(65_536)),
  '/endless-line': response => endless(response.writeHead(200, EVENTS), `data: ${'x'.repeat(65_536)}`),
  '/endless-event': response => endless(response.writeHead(200, EVENTS), `data: ${'x'.repeat(1_000)}\r\n`),
  '/endless-events': response =>
    endless(response.writeHead(200, EVENTS), `data: ${'x'.repeat(1_000)}\r\n\r\n`),
  '/silent-events': response => void response.writeHead(200, EVENTS).write(': hello\n\n'),
  '/small': response => response.writeHead(200, JSON_TYPE).end('"1234567"'),
}

let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const never = new AbortController().signal

function reach(path: string, kind: HttpEntry['kind'] = 'http-or-sse', signal: AbortSignal = never) {
  const entry: HttpEntry = { kind, name: 'far', rules: {}, url: new URL(`${base}${path}`), headers: {} }
  return connectHttp(entry, { version: '1', signal, onLine: () => {} })
}

const failure = (path: string, ...rest: [HttpEntry['kind']?, AbortSignal?]): Promise<string> =>
  reach(path, ...rest).then(
    () => 'connected',
    error => error.message,
  )

describe('an address that is no server', () => {
  test.each([
    ['/401', 'HTTP 401; it wants to know who asks: write "headers": {"Authorization": "Bearer '],
    ['/403', 'HTTP 403; it wants to know who asks'],
    ['/500', 'the address answers with HTTP 500, oops'],
    ['/404', 'the address answers with HTTP 404'],
    ['/away', 'HTTP 307, Redirect to http://localhost:1/ not followed'],
  ])('is told with its status: %s', async (path, expected) => {
    const message = await failure(path)
    expect(message).toContain(expected)
    expect(message.length).toBeLessThan(500)
  })

  test('is asked as an older server where it may be one', async () => {
    seen.splice(0)
    await failure('/404')
    await failure('/404', 'http')
    await failure('/404', 'sse')
    expect(seen).toEqual(['POST /404', 'GET /404', 'POST /404', 'GET /404'])
  })

  test.each([
    ['/hangs', 'http'],
    ['/hangs', 'sse'],
    ['/silent-events', 'sse'],
  ] as const)('is given up on when nobody waits any more: %s by %s', async (path, kind) => {
    const abort = new AbortController()
    const message = failure(path, kind, abort.signal)
    abort.abort(new Error('enough'))
    expect(await message).toContain('enough')
  })
})

describe('an answer over HTTP', () => {
  const MOST = 200_000
  async function read(path: string): Promise<{ text: string; tooMuch: number }> {
    let tooMuch = 0
    const response = await boundedFetch(MOST, () => {
      tooMuch += 1
    })(`${base}${path}`)
    const text = await response.text().catch(error => String(error))
    return { text, tooMuch }
  }

  test.each(['/endless-json', '/endless-line', '/endless-event'])(
    'ends where it is too much: %s',
    async path => {
      expect(await read(path)).toEqual({ text: `Error: an answer of more than ${MOST} bytes`, tooMuch: 1 })
    },
  )

  test('may go on for ever where each of its events is small', async () => {
    const response = await boundedFetch(MOST, () => {
      throw new Error('too much')
    })(`${base}/endless-events`)
    const reader = response.body?.getReader()
    let bytes = 0
    while (bytes < 20 * MOST) bytes += (await reader?.read())?.value?.length ?? 0
    await reader?.cancel()
  })

  test('of just the most bytes is whole, with its status and headers', async () => {
    const response = await boundedFetch(9, () => {})(`${base}/small`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.text()).toBe('"1234567"')
    const less = await boundedFetch(8, () => {})(`${base}/small`)
    await expect(less.text()).rejects.toThrow('more than 8 bytes')
  })
})

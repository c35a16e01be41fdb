import { request as httpRequest } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createToolRegistry, type ToolRegistry } from 'toolgate'
import { serveMcp } from 'toolgate/mcp'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionLimits } from '../../src/cli/http-sessions.js'
import { type HttpDoor, serveHttp } from '../../src/cli/serve-http.js'
import { countedTool, gate } from '../support/tools.js'

const IDLE_MS = 60_000

let door: HttpDoor
let registry: ToolRegistry
let waiting: ReturnType<typeof gate<string>>
let slow: ReturnType<typeof countedTool>
const clients: Client[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(async () => {
  vi.useRealTimers()
  waiting.open('ended')
  for (const client of clients.splice(0)) await client.close()
  await door.close()
  await registry.dispose()
})

async function open(limits: Partial<SessionLimits> = {}): Promise<void> {
  waiting = gate<string>()
  slow = countedTool('slow', () => waiting.promise)
  registry = createToolRegistry({ tools: [countedTool('quick', () => 'done'), slow] })
  door = await serveHttp(0, transport => serveMcp(registry, { transport }), {
    idleMs: IDLE_MS,
    maxSessions: 3,
    ...limits,
  })
}

interface Answer {
  readonly status: number | undefined
  readonly session: string | undefined
  readonly body: string
}

/** One message by hand; `hangUp` ends the connection once its answer has begun. */
function post(message: object, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const request = httpRequest(
      door.url,
      { method: 'POST', headers: { ...accept, ...headers } },
      response => {
        let body = ''
        response.on('data', chunk => (body += chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            session: response.headers['mcp-session-id'] as string | undefined,
            body,
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  })
}

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const begin = async (): Promise<string> => (await post(INITIALIZE)).session ?? ''
const ping = async (session: string): Promise<number | undefined> =>
  (await post({ id: 2, method: 'ping' }, { 'mcp-session-id': session })).status

/** A client whose stream of notices stays open, as those of the SDK do. */
async function connected(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url)) as never)
  clients.push(client)
  return client
}

/** Until the door has seen the end of a response, which comes after the client has. */
const seen = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
}

describe('a session over HTTP', () => {
  test('ends after its silence, and a client that comes back is told to begin a new one', async () => {
    await open()
    const session = await begin()
    await seen()
    vi.advanceTimersByTime(IDLE_MS - 1)
    expect(await ping(session)).toBe(200)
    await seen()
    vi.advanceTimersByTime(IDLE_MS - 1)
    expect(await ping(session)).toBe(200)
    await seen()
    vi.advanceTimersByTime(IDLE_MS + 1)
    expect(await ping(session)).toBe(404)
  })

  test('that is ended gives back all that it held', async () => {
    await open()
    const ended: string[] = []
    registry.on('change', ({ kind, scope }) => kind === 'disposed' && ended.push(scope))
    await begin()
    await seen()
    vi.advanceTimersByTime(IDLE_MS + 1)
    await vi.waitFor(() => expect(ended).toHaveLength(1))
  })

  test('has no silence while a call of it runs', async () => {
    await open()
    const session = await begin()
    const call = { id: 3, method: 'tools/call', params: { name: 'slow', arguments: {} } }
    const answer = post(call, { 'mcp-session-id': session })
    await vi.waitFor(() => expect(slow.runs()).toBe(1))
    await ping(session)
    vi.advanceTimersByTime(10 * IDLE_MS)
    waiting.open('ended')
    expect((await answer).body).toContain('ended')
  })

  test('has no silence while its client listens', async () => {
    await open()
    const client = await connected()
    await client.ping()
    await seen()
    vi.advanceTimersByTime(10 * IDLE_MS)
    expect(await client.callTool({ name: 'quick', arguments: {} })).toMatchObject({
      content: [{ text: 'done' }],
    })
  })

  test('never ends by itself where the host says so', async () => {
    await open({ idleMs: Number.POSITIVE_INFINITY })
    const session = await begin()
    await seen()
    vi.advanceTimersByTime(1e12)
    expect(await ping(session)).toBe(200)
  })
})

describe('more sessions than there may be', () => {
  test('end the one that has been idle longest', async () => {
    await open()
    const sessions: string[] = []
    for (let i = 0; i < 3; i++) {
      sessions.push(await begin())
      await seen()
      vi.advanceTimersByTime(1)
    }
    expect(await ping(sessions[0] as string)).toBe(200)
    await seen()
    sessions.push(await begin())
    expect(await Promise.all(sessions.map(ping))).toEqual([200, 404, 200, 200])
  })

  test('are refused while all are at work, and end none of them', async () => {
    await open()
    for (let i = 0; i < 3; i++) await (await connected()).ping()
    const { status, body } = await post(INITIALIZE)
    expect(status).toBe(503)
    expect(body).toContain('all are at work')
    for (const client of clients) expect(await client.ping()).toEqual({})
    await clients.pop()?.close()
    await seen()
    expect(await begin()).not.toBe('')
  })

  test('do not get in by coming at the same time', async () => {
    await open()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(INITIALIZE)))
    const begun = answers.filter(({ status }) => status === 200).map(({ session }) => session as string)
    const alive = (await Promise.all(begun.map(ping))).filter(status => status === 200)
    expect(alive.length).toBeLessThanOrEqual(3)
  })

  test('are not made by what is no "initialize"', async () => {
    await open()
    for (let i = 0; i < 10; i++) expect((await post({ id: i, method: 'ping' })).status).toBe(400)
    expect(await begin()).not.toBe('')
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** A request as it came in. */
export interface Received {
  readonly path: string
  readonly body: any
}

/** What an endpoint answers: JSON, or the lines of an event stream. */
export type Reply = object | { readonly events: readonly (object | string)[]; readonly named?: boolean }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const eventText = (event: object | string, named: boolean): string => {
  if (typeof event === 'string') return `data: ${event}\n\n`
  const head = named ? `event: ${(event as { type: string }).type}\n` : ''
  return `${head}data: ${JSON.stringify(event)}\n\n`
}

/** An endpoint on loopback that answers from a script, one reply for each request. Closed when the test has ended. */
export async function loopback(
  script: readonly Reply[],
): Promise<{ readonly origin: string; readonly requests: readonly Received[] }> {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const reply = script[requests.length]
    requests.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) })
    if (reply === undefined) {
      response.writeHead(500).end('the script has ended')
      return
    }
    if ('events' in reply) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of reply.events) response.write(eventText(event, reply.named === true))
      response.end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, requests }
}

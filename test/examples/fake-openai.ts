import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface WireMessage {
  readonly role: string
  readonly content?: string
  readonly tool_call_id?: string
}

export interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly { readonly type: string; readonly function: { readonly name: string } }[]
}

export type WireReply =
  | { readonly content: string }
  | { readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[] }
  | { readonly status: number }
  | { readonly hang: true }

/** An OpenAI-compatible endpoint on loopback that answers from a script. */
export async function fakeOpenAi(script: readonly WireReply[]): Promise<{
  readonly baseUrl: string
  readonly requests: readonly WireRequest[]
  /** Resolves when so many requests have come in. */
  received(count: number): Promise<void>
  close(): Promise<void>
}> {
  const requests: WireRequest[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const reply = script[requests.length] ?? { content: 'the script has ended' }
    requests.push(JSON.parse(Buffer.concat(chunks).toString()) as WireRequest)
    arrivals.emit('request')
    if ('hang' in reply) return
    if ('status' in reply) {
      response.writeHead(reply.status).end('overloaded')
      return
    }
    const message =
      'content' in reply
        ? { role: 'assistant', content: reply.content }
        : {
            role: 'assistant',
            content: null,
            tool_calls: reply.calls.map(({ id, name, arguments: text }) => ({
              id,
              type: 'function',
              function: { name, arguments: text },
            })),
          }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    async received(count) {
      while (requests.length < count) await once(arrivals, 'request')
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

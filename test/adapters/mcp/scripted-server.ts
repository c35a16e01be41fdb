import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import type { McpClient } from 'toolgate/mcp'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: any
}

/** What a handler may do beside answering. */
export interface Exchange {
  readonly id: number | string
  notify(method: string, params?: object): void
  close(): void
}

export type Handler = (params: any, exchange: Exchange) => unknown

/** An answer that never comes. */
export const NEVER: Promise<never> = new Promise(() => {})

/** A JSON-RPC error as a handler throws it. */
export const rpcError = (code: number, message: string): object => ({ code, message })

/** A server that says exactly what a test wants, right or wrong: no SDK checks its answers. */
export class ScriptedServer {
  onmessage?: (message: any) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Every request and notification that came in. */
  readonly received: Message[] = []
  readonly #handlers: { readonly [method: string]: Handler }
  readonly #waiting: { method: string; done: (message: Message) => void }[] = []
  #isClosed = false

  constructor(handlers: { readonly [method: string]: Handler }) {
    this.#handlers = handlers
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  notify(method: string, params?: object): void {
    this.onmessage?.({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  /** The next message of a method, or the last one that came. */
  async next(method: string): Promise<Message> {
    const there = this.received.findLast(message => message.method === method)
    if (there !== undefined) return there
    return new Promise(done => this.#waiting.push({ method, done }))
  }

  count(method: string): number {
    return this.received.filter(message => message.method === method).length
  }

  async send(message: Message): Promise<void> {
    const { id, method = '', params } = message
    this.received.push(message)
    for (const waiting of this.#waiting.splice(0))
      if (waiting.method === method) waiting.done(message)
      else this.#waiting.push(waiting)
    if (id === undefined) return
    const reply = (rest: object): void => this.onmessage?.({ jsonrpc: '2.0', id, ...rest })
    const exchange: Exchange = {
      id,
      notify: (name, given) => this.notify(name, given),
      close: () => void this.close(),
    }
    try {
      const handler = this.#handlers[method] ?? DEFAULTS[method]
      if (handler === undefined) throw rpcError(-32601, 'Method not found')
      const result = await handler(params, exchange)
      reply({ result })
    } catch (error) {
      reply({ error })
    }
  }
}

const DEFAULTS: { readonly [method: string]: Handler } = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'scripted', version: '1.0.0' },
  }),
  ping: () => ({}),
}

/** A connected client of each version of the SDK. */
export const CLIENTS: { readonly [version: string]: (server: ScriptedServer) => Promise<McpClient> } = {
  'SDK v1': async server => {
    const client = new ClientV1({ name: 'test', version: '1' })
    await client.connect(server as never)
    return client
  },
  'SDK v2': async server => {
    const client = new ClientV2({ name: 'test', version: '1' })
    await client.connect(server as never)
    return client
  },
}

/** A server of fixed tools that counts calls and answers each by its name. */
export function serverOf(
  tools: readonly unknown[] | (() => readonly unknown[]),
  call: Handler = ({ name }) => ({ content: [{ type: 'text', text: `${name} ran` }] }),
): ScriptedServer {
  return new ScriptedServer({
    'tools/list': () => ({ tools: typeof tools === 'function' ? tools() : tools }),
    'tools/call': call,
  })
}

/** The shortest tool that a server may list. */
export const listedTool = (name: string, rest: object = {}): object => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...rest,
})

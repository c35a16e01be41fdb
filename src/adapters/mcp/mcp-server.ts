import { ToolgateError } from '../../index.js'

/** What `serveMcp` uses of a server: those of `@modelcontextprotocol/sdk` v1 and `@modelcontextprotocol/server` v2 are such. */
export interface McpServer {
  setRequestHandler(...args: any[]): void
  notification(...args: any[]): Promise<void>
  request?(...args: any[]): Promise<any>
  connect(transport: any): Promise<void>
  close(): Promise<void>
  registerCapabilities?(capabilities: any): void
  getClientCapabilities?(): { readonly elicitation?: object | undefined } | undefined
  onclose?: (() => void) | undefined
}

/** A transport of the SDK: what carries messages to one client. */
export interface McpTransport {
  start(): Promise<void>
  send(...args: any[]): Promise<void>
  close(): Promise<void>
}

/** One request as both versions of the SDK tell of it. */
export interface McpRequestInfo {
  readonly id: number | string
  readonly signal: AbortSignal
  readonly progressToken?: number | string
  /** What the SDK passed beside the request: session, HTTP request, who is signed in. */
  readonly extra: unknown
}

/** Reads what an SDK passes beside a request. */
export function requestInfo(request: any, extra: any): McpRequestInfo {
  const of = extra?.mcpReq ?? extra
  const progressToken = request?.params?._meta?.progressToken ?? of?._meta?.progressToken
  return {
    id: of?.requestId ?? of?.id,
    signal: of?.signal ?? new AbortController().signal,
    ...(progressToken !== undefined && { progressToken }),
    extra,
  }
}

/** An error that the SDK answers a request with. */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Of JSON-RPC: the parameters are wrong, an unknown tool's name included. */
export const INVALID_PARAMS = -32602

async function loadSdk(): Promise<typeof import('@modelcontextprotocol/sdk/server/index.js')> {
  try {
    return await import('@modelcontextprotocol/sdk/server/index.js')
  } catch (cause) {
    const message =
      'serveMcp needs a server: install @modelcontextprotocol/sdk, or pass one of your own as the option server'
    throw new ToolgateError('INVALID_OPTIONS', message, { cause })
  }
}

/** Makes a server of the installed SDK, which is loaded when the first one is made. */
export async function createSdkServer(
  info: { readonly name: string; readonly version: string },
  instructions: string | undefined,
): Promise<McpServer> {
  const { Server } = await loadSdk()
  return new Server(info, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions !== undefined && { instructions }),
  }) as McpServer
}

/**
 * What `mcpTools` uses of a connected client. The clients of `@modelcontextprotocol/sdk` v1 and of
 * `@modelcontextprotocol/client` v2 are such objects; nothing of either package is imported.
 */
export interface McpClient {
  request(...args: any[]): Promise<any>
  setNotificationHandler?(...args: any[]): void
  close?(): Promise<void>
  onclose?: (() => void) | undefined
  getServerCapabilities?(): { readonly tools?: object | undefined } | undefined
  /** Calls a tool with the headers that newer revisions of the protocol ask for; used where `getProtocolEra` says so. */
  callTool?(...args: any[]): Promise<any>
  /** `modern` for revisions without a lasting session, which tell of changes only to those who listen. */
  getProtocolEra?(): string | undefined
  listen?(...args: any[]): Promise<{ close(): Promise<void> }>
}

/**
 * Makes a connected client: for the first connection, and again for each one that is lost. The signal aborts when nobody
 * waits for it any more; end what was begun then.
 */
export type McpConnector = (signal: AbortSignal) => McpClient | Promise<McpClient>

/** The codes that MCP adds to Toolgate's: what each means. */
export const MCP_ERROR_CODES = {
  CONNECTION_LOST:
    'result or thrown: the connection to the MCP server is gone; details.sent says whether the call got out',
  DEFINITION_CHANGED: 'result: the server changed the tool after it was accepted; the call was not sent',
} as const

/** A code of `MCP_ERROR_CODES`. */
export type McpErrorCode = keyof typeof MCP_ERROR_CODES

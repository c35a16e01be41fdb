/** What the gateway itself reads of a server's entry, under the key `toolgate`. */
export interface ServerRules {
  /** The server's names of the tools to take; default all. */
  readonly include?: readonly string[]
  /** The server's names of the tools to leave out, of those that `include` takes. */
  readonly exclude?: readonly string[]
  /** Tools that a user has to allow each time: `true` for all. */
  readonly ask?: true | readonly string[]
  readonly trustAnnotations?: boolean
  readonly timeoutMs?: number
}

interface CommonEntry {
  readonly name: string
  readonly rules: ServerRules
}

/** A server that is started as a program. */
export interface StdioEntry extends CommonEntry {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A server at an address. Without a type it is tried as streamable HTTP, then as SSE. */
export interface HttpEntry extends CommonEntry {
  readonly kind: 'http' | 'sse' | 'http-or-sse'
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
}

/** One entry of `mcpServers`. */
export type ServerEntry = StdioEntry | HttpEntry

/** A configuration file, read and checked. */
export interface GatewayConfig {
  readonly path: string
  readonly servers: readonly ServerEntry[]
  /** What is odd and does no harm. */
  readonly warnings: readonly string[]
}

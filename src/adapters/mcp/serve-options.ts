import type { PresentationMode } from '../../index.js'
import type { McpServer, McpTransport } from './mcp-server.js'
import { refuseOption, requireOptions, requirePositive } from './read-options.js'
import type { DeclarationsPlace } from './served-tools.js'

/** Options of `serveMcp`. */
export interface ServeMcpOptions {
  /** What carries the messages of one client, such as the SDK's `StdioServerTransport`. Without it connect `server` yourself. */
  readonly transport?: McpTransport | undefined
  /**
   * A server of either version of the SDK, not connected yet, or a function that makes one with these instructions. Default
   * one of `@modelcontextprotocol/sdk`, which must be installed.
   */
  readonly server?: McpServer | ((instructions: string | undefined) => McpServer) | undefined
  /** The id of the scope that is served. Default the registry itself. */
  readonly scope?: string | undefined
  /** How the tools are presented: `code` serves `run_code` alone. Default as the scope says. */
  readonly mode?: PresentationMode | undefined
  /** What the server calls itself. Default `toolgate` and `0.0.0`. */
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string } | undefined
  /** Text for the model, before the declarations of Code Mode. */
  readonly instructions?: string | undefined
  /**
   * Where the declarations of Code Mode go: into the server's instructions, which some clients do not show, into the
   * description of `run_code`, or both. Default `instructions`.
   */
  readonly declarations?: DeclarationsPlace | undefined
  /** False: approvals are asked of the registry's approver even where the client could ask its user. Default true. */
  readonly elicitation?: boolean | undefined
  /** The `caller` of the calls, from what the SDK passes beside a request. */
  readonly caller?: ((extra: unknown) => unknown) | undefined
  /** Tools on one page of a list. Default 1 000. */
  readonly pageSize?: number | undefined
}

const KEYS: readonly (keyof ServeMcpOptions)[] = [
  'transport',
  'server',
  'scope',
  'mode',
  'info',
  'instructions',
  'declarations',
  'elicitation',
  'caller',
  'pageSize',
]
/** Checks the options. @throws ToolgateError `INVALID_OPTIONS` */
export function checkServeOptions(options: ServeMcpOptions): void {
  requireOptions('serveMcp', options, KEYS)
  requirePositive('serveMcp', options, ['pageSize'])
  const { transport, server, declarations, caller } = options
  if (transport === undefined && server === undefined)
    refuseOption('serveMcp needs a transport, or a server that you connect yourself')
  if (declarations !== undefined && !['instructions', 'description', 'both'].includes(declarations))
    refuseOption('declarations of serveMcp must be "instructions", "description" or "both"')
  if (caller !== undefined && typeof caller !== 'function')
    refuseOption('caller of serveMcp must be a function')
}

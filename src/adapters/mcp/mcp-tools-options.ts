import type { ToolScope } from '../../index.js'
import type { McpReconnectOptions } from './connection.js'
import type { McpListLimits } from './list-tools.js'
import { refuseOption, requireOptions, requirePositive } from './read-options.js'

/** Something happened to the tools of a server. `name` is the tool's name here, prefix included. */
export type McpChange =
  | { readonly kind: 'added' | 'removed'; readonly name: string }
  | {
      /** Not what was accepted before: its description, schemas or hints. */
      readonly kind: 'changed'
      readonly name: string
      /** The accepted fingerprint; absent for a tool that nobody has accepted. */
      readonly before?: string
      readonly after: string
      /** True if calls of it are refused until `accept`. */
      readonly denied: boolean
    }
  | { readonly kind: 'disconnected' | 'reconnected' }
  /** The server could not be connected again, or gave no list; the tools stay as they were. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** Options of `mcpTools`. */
export interface McpToolsOptions extends McpListLimits {
  /** Where the tools are registered, and follow the server's changes. Without it use `tools`. */
  readonly scope?: ToolScope | undefined
  /** Goes before every name, such as `github__`. Default none: the server's own names. */
  readonly prefix?: string | undefined
  /** The server's names of the tools to take; default all. */
  readonly include?: readonly string[] | undefined
  /** The server's names of the tools to leave out, of those that `include` takes. Default none. */
  readonly exclude?: readonly string[] | undefined
  /** False: arguments go to the server unchecked. Default true: by the input schema, `INVALID_ARGS` before anything is sent. */
  readonly validateArguments?: boolean | undefined
  /**
   * True: hints that ask for less care are passed on too, and calls of a tool with `readOnlyHint` may overlap. Default
   * false: a server cannot loosen a policy by what it says of itself.
   */
  readonly trustAnnotations?: boolean | undefined
  /** Milliseconds of silence after which a call fails; progress starts them anew. Default 60 000. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds after which a call fails, progress or not. Default 600 000. */
  readonly maxTimeoutMs?: number | undefined
  /** Accepted fingerprints by the server's own names, as `fingerprints` gave them; default those of the first list. */
  readonly fingerprints?: { readonly [name: string]: string } | undefined
  /** What becomes of a tool that is not what was accepted: `follow` it and tell, or `deny` its calls too. Default `follow`. */
  readonly changedTools?: 'follow' | 'deny' | undefined
  /** Told of every change, those found in the first list included. What it throws is dropped. */
  readonly onChange?: ((change: McpChange) => void) | undefined
  /** False: changes of the server's list are not followed, and the client's handler for them is left alone. Default true. */
  readonly follow?: boolean | undefined
  /** Milliseconds between the server's word of a change and reading its list. Default 100; after five in a row 5 000. */
  readonly followDelayMs?: number | undefined
  /** For a connection that a function makes. */
  readonly reconnect?: McpReconnectOptions | undefined
  /** Ends the first connection and list. */
  readonly signal?: AbortSignal | undefined
}

const KEYS: readonly (keyof McpToolsOptions)[] = [
  'scope',
  'prefix',
  'include',
  'exclude',
  'validateArguments',
  'trustAnnotations',
  'timeoutMs',
  'maxTimeoutMs',
  'fingerprints',
  'changedTools',
  'onChange',
  'follow',
  'followDelayMs',
  'reconnect',
  'signal',
  'maxTools',
  'maxPages',
  'maxDefinitionBytes',
  'listTimeoutMs',
]
const NUMBERS = [
  'timeoutMs',
  'maxTimeoutMs',
  'followDelayMs',
  'maxTools',
  'maxPages',
  'maxDefinitionBytes',
  'listTimeoutMs',
] as const

/** Checks the options. @throws ToolgateError `INVALID_OPTIONS` */
export function checkMcpToolsOptions(options: McpToolsOptions): void {
  requireOptions('mcpTools', options, KEYS)
  requirePositive('mcpTools', options, NUMBERS)
  const { scope, prefix, include, exclude, changedTools, onChange, reconnect } = options
  if (scope !== undefined && typeof scope?.register !== 'function')
    refuseOption('scope of mcpTools must be a registry or one of its scopes')
  if (prefix !== undefined && typeof prefix !== 'string') refuseOption('prefix of mcpTools must be a string')
  for (const [key, names] of Object.entries({ include, exclude }))
    if (names !== undefined && !(Array.isArray(names) && names.every(name => typeof name === 'string')))
      refuseOption(`${key} of mcpTools must be an array of tool names`)
  if (changedTools !== undefined && changedTools !== 'follow' && changedTools !== 'deny')
    refuseOption('changedTools of mcpTools must be "follow" or "deny"')
  if (onChange !== undefined && typeof onChange !== 'function')
    refuseOption('onChange of mcpTools must be a function')
  if (reconnect === undefined) return
  requireOptions('reconnect of mcpTools', reconnect, ['attempts', 'delayMs', 'connectTimeoutMs'])
  requirePositive('reconnect of mcpTools', reconnect, ['delayMs', 'connectTimeoutMs'])
}

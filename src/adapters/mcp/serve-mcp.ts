import { ToolgateError, type ToolRegistry, type ToolScope } from '../../index.js'
import { wellFormedJson } from '../well-formed-json.js'
import { type CallResult, callResult } from './call-result.js'
import { canElicit, elicitedApprover } from './elicited-approver.js'
import { anyResult, onRequest } from './lenient-schema.js'
import {
  createSdkServer,
  INVALID_PARAMS,
  type McpRequestInfo,
  type McpServer,
  type McpTransport,
  RpcError,
  requestInfo,
} from './mcp-server.js'
import { outerCallId, ProgressReports } from './report-progress.js'
import { checkServeOptions, type ServeMcpOptions } from './serve-options.js'
import { type ServedTool, sectionsText, servedTools } from './served-tools.js'

/** A registry that is served to one client. */
export interface McpServing {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>
  /** Ends the connection, aborts its calls and waits for them. Idempotent. */
  close(): Promise<void>
}

/** A user may take long to answer; the call's own abort ends the asking. */
const ELICITATION_MS = 2 ** 31 - 1
/** Changes that come together are told once. */
const CHANGE_DELAY_MS = 20
const CHANGES = ['registered', 'unregistered', 'restricted', 'unrestricted', 'mode']

let sessions = 0

/** One client's view of a registry: a scope of its own, which ends with the connection. */
class Session {
  readonly #registry: ToolRegistry
  readonly #options: ServeMcpOptions
  readonly #id: string
  readonly #scope: ToolScope
  readonly #server: McpServer
  readonly #progress: ProgressReports
  /** Requests under way, by the ids of their calls. */
  readonly #requests = new Map<string, McpRequestInfo['id']>()
  #asking: ToolScope | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #told = ''

  constructor(
    registry: ToolRegistry,
    options: ServeMcpOptions,
    id: string,
    scope: ToolScope,
    server: McpServer,
  ) {
    this.#registry = registry
    this.#options = options
    this.#id = id
    this.#scope = scope
    this.#server = server
    this.#progress = new ProgressReports(registry)
    registry.on('change', this.#onChange)
    onRequest(server, 'tools/list', request => this.#list(request?.params?.cursor))
    onRequest(server, 'tools/call', (request, extra) =>
      this.#call(request?.params, requestInfo(request, extra)),
    )
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer)
    this.#progress.close()
    this.#registry.off('change', this.#onChange)
    await this.#scope.dispose()
  }

  #served(): ServedTool[] {
    return wellFormedJson(servedTools(this.#scope, this.#options.declarations ?? 'instructions'))
  }

  #list(cursor: unknown): object {
    const { pageSize = 1_000 } = this.#options
    const tools = this.#served()
    this.#told = JSON.stringify(tools)
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isSafeInteger(from) || from < 0 || (from > 0 && from >= tools.length))
      throw new RpcError(INVALID_PARAMS, 'There is no such page of tools; begin again without a cursor')
    const next = from + pageSize
    return {
      tools: tools.slice(from, next),
      ...(next < tools.length && { nextCursor: String(next) }),
    }
  }

  async #call(params: any, request: McpRequestInfo): Promise<CallResult> {
    const callId = `${this.#id}:${JSON.stringify(request.id)}`
    const { progressToken } = request
    const unfollow =
      progressToken === undefined
        ? undefined
        : this.#progress.follow(callId, report =>
            this.#notify('notifications/progress', { progressToken, ...report }, request.id),
          )
    this.#requests.set(callId, request.id)
    try {
      const scope = this.#callScope()
      const caller = this.#options.caller?.(request.extra)
      const result = await scope.execute({
        callId,
        name: params?.name,
        arguments: params?.arguments,
        signal: request.signal,
        ...(caller !== undefined && { caller }),
      })
      return callResult(scope, result)
    } finally {
      unfollow?.()
      this.#requests.delete(callId)
    }
  }

  /** Where calls run: under an approver that asks the client's user, if the client can. */
  #callScope(): ToolScope {
    if (this.#asking !== undefined) return this.#asking
    const asks = this.#options.elicitation !== false && canElicit(this.#server.getClientCapabilities?.())
    if (!asks || this.#server.request === undefined) return this.#scope
    this.#asking = this.#scope.createScope({
      id: `${this.#id}:asks`,
      approve: elicitedApprover(async ({ callId, signal }, params) =>
        this.#server.request?.({ method: 'elicitation/create', params }, anyResult, {
          signal,
          timeout: ELICITATION_MS,
          relatedRequestId: this.#requests.get(outerCallId(callId)),
        }),
      ),
    })
    return this.#asking
  }

  #notify(method: string, params: object | undefined, relatedRequestId?: McpRequestInfo['id']): void {
    const options = relatedRequestId === undefined ? undefined : { relatedRequestId }
    // A client that has gone hears nothing.
    this.#server.notification({ method, ...(params && { params }) }, options).catch(() => {})
  }

  readonly #onChange = ({ kind }: { readonly kind: string }): void => {
    if (!CHANGES.includes(kind) || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = JSON.stringify(this.#served())
      if (now === this.#told) return
      this.#told = now
      this.#notify('notifications/tools/list_changed', undefined)
    }, CHANGE_DELAY_MS)
  }
}

/**
 * Serves a registry, or one of its scopes, to one client: lists its tools and runs calls through the whole pipeline, with
 * progress, cancellation, and a notice when the tools change. Each connection has a scope of its own, which its end
 * disposes; approvals are asked of the client's user where the client supports it, else of the registry's approver.
 * @throws ToolgateError `INVALID_OPTIONS`, `UNKNOWN_SCOPE` or `DISPOSED`.
 */
export async function serveMcp(registry: ToolRegistry, options: ServeMcpOptions): Promise<McpServing> {
  if (typeof registry?.scope !== 'function')
    throw new ToolgateError('INVALID_OPTIONS', 'serveMcp takes a registry')
  checkServeOptions(options)
  const { transport, mode, info = { name: 'toolgate', version: '0.0.0' }, declarations } = options
  const id = `mcp:${++sessions}`
  const above = options.scope === undefined ? registry : registry.scope(options.scope)
  const scope = above.createScope({ id, ...(mode !== undefined && { mode }) })
  try {
    const sections = declarations === 'description' ? '' : sectionsText(scope)
    const instructions = [options.instructions ?? '', sections].filter(text => text !== '').join('\n\n')
    const given = options.server
    const own = typeof given === 'function' ? given(instructions || undefined) : given
    const server = own ?? (await createSdkServer(info, instructions || undefined))
    if (own !== undefined) server.registerCapabilities?.({ tools: { listChanged: true } })
    const session = new Session(registry, options, id, scope, server)
    return await serving(session, server, transport)
  } catch (error) {
    await scope.dispose()
    throw error
  }
}

async function serving(
  session: Session,
  server: McpServer,
  transport: McpTransport | undefined,
): Promise<McpServing> {
  let ended: Promise<void> | undefined
  let resolve: () => void = () => {}
  const closed = new Promise<void>(done => {
    resolve = done
  })
  const end = (): Promise<void> => {
    ended ??= session.end().finally(resolve)
    return ended
  }
  const before = server.onclose
  server.onclose = () => {
    before?.call(server)
    void end()
  }
  try {
    if (transport !== undefined) await server.connect(transport)
  } catch (error) {
    await end()
    throw error
  }
  return {
    closed,
    async close() {
      await server.close()
      await end()
    },
  }
}

import { quoteName } from '../errors/quote-name.js'
import type { JsonValue } from '../json/json-value.js'
import type { CodeModeHost } from '../registry/code-mode-support.js'
import type { CodeCall, CodeCallReply, CodeNamespace } from '../sandbox/code-runtime.js'
import type { CallScheduler } from '../schedule/call-scheduler.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import { CallId } from '../tools/call-id.js'
import type { ToolCall, ToolContext, ToolExecutionToken } from '../tools/tool-call.js'
import type { Attachments } from './attachments.js'
import type { Catalogue } from './catalogue.js'

const DEFAULT_SEARCH_LIMIT = 10
const MAX_SEARCH_LIMIT = 100
/** What a search costs the host grows with its query, and for one long word with the square of it. */
const MAX_QUERY_UNITS = 200
/** More than any question needs. */
const MAX_CATALOG_BYTES = 512 * 1024
/** What a call has beside its arguments: the limit on those is checked to the byte by the call itself. */
const BESIDE_ARGUMENTS_BYTES = 4096

const failure = (toolName: string, code: string, message: string): CodeCallReply => ({
  ok: false,
  message,
  properties: { toolName, code },
})

/** True if the runtime tells when the answer has reached the program. */
function listenForTaken(call: CodeCall, listener: () => void): boolean {
  if (typeof call.onTaken !== 'function') return false
  call.onTaken(listener)
  return true
}

/** What a runtime holds a call back for. One that cannot say holds back nothing. */
function untilTaken(call: CodeCall): Promise<void> | undefined {
  try {
    return call.untilTaken?.()?.catch(() => {})
  } catch {
    return undefined
  }
}

/** Takes note of calls that ended before their bodies. */
export interface LeftBodies {
  /** So many of them run; none that is known of for a call that says itself that it may run on. */
  add(call: ToolCall, running: number): void
}

/** A call that has ended, and whose answer the program has not got. */
export interface UnansweredCall {
  readonly name: string
  /** False if it did nothing. */
  readonly ran: boolean
  /** Absent for one that never came to policy. */
  readonly token?: ToolExecutionToken
}

/** What the calls of one program share. */
export interface ProgramCalls {
  readonly scheduler: CallScheduler
  /** Those that have not ended. */
  readonly active: Set<CodeCall>
  readonly bodies: LeftBodies
  readonly attachments: Attachments
  /** Those that have ended and that the program has no answer of yet. */
  readonly unanswered: Map<CodeCall, UnansweredCall>
  /** True once the program has ended. */
  hasEnded(): boolean
}

/** The `tools` of a program: each call is a nested run of the whole pipeline. */
export function toolsNamespace(
  host: CodeModeHost,
  context: ToolContext,
  { scheduler, active, bodies, attachments, unanswered, hasEnded }: ProgramCalls,
): CodeNamespace {
  const { callId: parentCallId, rootCallId, scope, caller, token: parent } = context
  let submitted = 0
  return {
    global: 'tools',
    functions: host.visible(scope).map(tool => tool.name),
    open: true,
    errorClass: 'ToolCallError',
    maxCallBytes: Math.min(host.maxArgumentBytes + BESIDE_ARGUMENTS_BYTES, Number.MAX_SAFE_INTEGER),
    maxArgumentBytes: host.maxArgumentBytes,
    async call(call) {
      const { name, args } = call
      if (name === RUN_CODE_NAME)
        return failure(
          name,
          'UNKNOWN_TOOL',
          `${quoteName(name)} cannot be called from inside a program; call the tools themselves`,
        )
      if (args.length > 1)
        return failure(
          name,
          'INVALID_ARGS',
          `Tool ${quoteName(name)} takes one object of arguments and got ${args.length} values`,
        )
      const callId = CallId(`${parentCallId}:code:${++submitted}`)
      const [given = {}] = args as readonly JsonValue[]
      // A string is a value here, not JSON text.
      const input = {
        callId,
        name,
        arguments: typeof given === 'string' ? JSON.stringify(given) : given,
        caller,
        parent,
        rootCallId,
      }
      const about = { callId, name, scope, rootCallId, parentCallId }
      active.add(call)
      const tellsTaken = listenForTaken(call, () => unanswered.delete(call))
      const result = await scheduler.submit(input, {
        pause: () => untilTaken(call),
        onStart: prepared => host.events.emit('subcall:start', { ...about, arguments: prepared }),
        onBodyEnd: (ended, made, { bodyStarted, bodiesRunning }) => {
          const mayRun = ended.isError && ended.error.details?.bodyStopped === false
          if (mayRun || bodiesRunning > 0) bodies.add(made, bodiesRunning)
          unanswered.set(call, { name, ran: bodyStarted || !ended.isError, token: made.token })
        },
        onEnd: ended => {
          if (!tellsTaken && !hasEnded() && !call.signal.aborted) unanswered.delete(call)
          attachments.add(name, ended)
          host.events.emit('subcall:end', { ...about, result: ended })
        },
      })
      active.delete(call)
      if (result === undefined) {
        unanswered.set(call, { name, ran: false })
        return failure(name, 'ABORTED_BEFORE_DISPATCH', `The program ended before ${quoteName(name)} ran`)
      }
      if (result.isError) return failure(name, result.error.code, result.error.message)
      return { ok: true, value: result.value }
    },
  }
}

/** The `catalog` of a program: what tools there are, and how they are called. */
export function catalogNamespace(catalogue: Catalogue): CodeNamespace {
  const wrong = (message: string): CodeCallReply => ({ ok: false, message })
  return {
    global: 'catalog',
    functions: ['search', 'describe'],
    maxCallBytes: MAX_CATALOG_BYTES,
    async call({ name, args, signal }) {
      const [first, options] = args
      if (typeof first !== 'string') return wrong(`catalog.${name} takes a string first`)
      if (name === 'describe') {
        const described = catalogue.describe(first)
        return 'text' in described ? { ok: true, value: described.text } : wrong(described.missing)
      }
      if (first.length > MAX_QUERY_UNITS)
        return wrong(
          `catalog.search takes at most ${MAX_QUERY_UNITS} characters and got ${first.length}: name in a few words what the tool does`,
        )
      const given =
        typeof options === 'object' && options !== null && 'limit' in options ? options.limit : undefined
      const limit =
        typeof given === 'number' && given >= 1
          ? Math.min(Math.floor(given), MAX_SEARCH_LIMIT)
          : DEFAULT_SEARCH_LIMIT
      const found = await catalogue.search(first, limit, signal)
      return { ok: true, value: found.map(({ name: tool, description }) => ({ name: tool, description })) }
    },
  }
}

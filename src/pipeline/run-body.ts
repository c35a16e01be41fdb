import type { JsonValue } from '../json/json-value.js'
import type { ToolContext } from '../tools/tool-call.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { CallState } from './call-state.js'

/** How a body ended. An abandoned one was aborted and did not stop in time. */
export type BodyOutcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'abandoned' }

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value
    ? typeof value.then === 'function'
    : false
}

/** The one place where a tool's body is invoked: the step that a durable engine would journal. */
function invoke(tool: RegisteredTool, args: JsonValue, context: ToolContext): unknown {
  return tool.execute(args, context)
}

function settle(
  state: CallState,
  pending: PromiseLike<unknown>,
  signal: AbortSignal | undefined,
): Promise<BodyOutcome> {
  const { lifetime, host, call } = state
  return new Promise(resolve => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let given = false
    const startGrace = (): void => {
      if (timer !== undefined || given || host.abortGraceMs === Number.POSITIVE_INFINITY) return
      timer = setTimeout(() => finish({ kind: 'abandoned' }), host.abortGraceMs)
    }
    const stopListening = lifetime.onAbort(startGrace)
    // The body may have aborted it before it returned its promise.
    if (signal?.aborted) startGrace()
    else signal?.addEventListener('abort', startGrace)
    const finish = (outcome: BodyOutcome): void => {
      const late = given || state.settled
      if (late && outcome.kind !== 'abandoned') {
        const { callId, name, scope } = call
        host.events.emit('late-settlement', { callId, name, scope, outcome: outcome.kind })
      }
      if (given) return
      given = true
      clearTimeout(timer)
      stopListening()
      signal?.removeEventListener('abort', startGrace)
      resolve(outcome)
    }
    pending.then(
      value => finish({ kind: 'returned', value }),
      error => finish({ kind: 'threw', error }),
    )
  })
}

/**
 * Runs a body and waits for its end. After an abort it is waited for as long as the grace allows; one that still runs then
 * is given up on, and its end is told by `late-settlement`. `signal` is an around stage's, where one replaced the call's.
 */
export async function runBody(
  state: CallState,
  tool: RegisteredTool,
  args: JsonValue,
  context: ToolContext,
  signal: AbortSignal | undefined,
): Promise<BodyOutcome> {
  try {
    const returned = invoke(tool, args, context)
    return isThenable(returned)
      ? await settle(state, returned, signal)
      : { kind: 'returned', value: returned }
  } catch (error) {
    return { kind: 'threw', error }
  }
}

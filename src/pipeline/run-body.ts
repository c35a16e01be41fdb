import type { JsonValue } from '../json/json-value.js'
import type { ToolContext } from '../tools/tool-call.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { isRefusal } from '../tools/validated-callbacks.js'
import type { CallLifetime } from './call-lifetime.js'
import type { CallState } from './call-state.js'
import type { Pending } from './pending.js'
import { BodyContext } from './tool-context.js'

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

function settle<T>(
  state: CallState,
  pending: PromiseLike<unknown>,
  lifetime: CallLifetime,
  conclude: (outcome: BodyOutcome) => Pending<T>,
): Promise<T> {
  const { host, call } = state
  return new Promise(resolve => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let given = false
    state.bodiesRunning++
    const giveUp = (): void => finish({ kind: 'abandoned' })
    const startGrace = (): void => {
      // A stage may go on, and the call end, without the body: then nobody is left to wait for it.
      lifetime.onEnd(giveUp)
      if (given || host.abortGraceMs === Number.POSITIVE_INFINITY) return
      timer = setTimeout(giveUp, lifetime.graceLeftMs(host.abortGraceMs))
    }
    const finish = (outcome: BodyOutcome): void => {
      if (outcome.kind !== 'abandoned') state.bodiesRunning--
      const late = given || lifetime.left || state.settled
      if (late && outcome.kind !== 'abandoned') {
        const { callId, name, scope } = call
        host.events.emit('late-settlement', { callId, name, scope, call, outcome: outcome.kind })
      }
      if (given) return
      given = true
      if (timer !== undefined) clearTimeout(timer)
      lifetime.offAbort(startGrace)
      lifetime.offEnd(giveUp)
      resolve(conclude(outcome))
    }
    lifetime.onAbort(startGrace)
    // Follows thenables all the way, and takes one whose `then` throws for a rejection.
    Promise.resolve(pending).then(
      value => finish({ kind: 'returned', value }),
      error => finish({ kind: 'threw', error }),
    )
  })
}

/**
 * Runs a body and waits for its end. After an abort it is waited for as long as the grace allows; one that still runs then
 * is given up on, and its end is told by `late-settlement`. `conclude` makes of the outcome what it is to be; it never throws.
 */
export function runBody<T>(
  state: CallState,
  tool: RegisteredTool,
  args: JsonValue,
  lifetime: CallLifetime,
  conclude: (outcome: BodyOutcome) => Pending<T>,
): Pending<T> {
  let returned: unknown
  const hadStarted = state.bodyStarted
  state.bodyStarted = true
  const context = new BodyContext(state, lifetime)
  const judge = (outcome: BodyOutcome): Pending<T> => {
    if (outcome.kind === 'threw' && isRefusal(outcome.error, args, context)) state.bodyStarted = hadStarted
    return conclude(outcome)
  }
  try {
    returned = invoke(tool, args, context)
    if (isThenable(returned)) return settle(state, returned, lifetime, judge)
  } catch (error) {
    return judge({ kind: 'threw', error })
  }
  return conclude({ kind: 'returned', value: returned })
}

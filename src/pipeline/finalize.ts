import { describeError } from '../errors/describe-error.js'
import { quoteName } from '../errors/quote-name.js'
import { contain, dropRejection } from '../events/event-hub.js'
import { trySnapshot } from '../json/snapshot-json.js'
import { type ContentBlock, contentFault } from '../tools/content-block.js'
import { failed } from '../tools/results.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { abortedCall, brokenPipeline } from './failures.js'
import { isPending, type Pending } from './pending.js'
import { withinGrace } from './within-grace.js'

/** A result with what bodies deferred before its own contexts. */
export function withDeferred(
  { contexts, concludesTurn }: CallState,
  result: ToolExecutionResult,
): ToolExecutionResult {
  const concludes = concludesTurn && !result.isError
  if (contexts.length === 0 && !concludes) return result
  const all = Object.freeze([...contexts, ...(result.additionalContexts ?? [])])
  const added = all.length > 0 ? { additionalContexts: all } : {}
  const concluding = concludes ? ({ concludesTurn: true } as const) : {}
  return Object.freeze({ ...result, ...added, ...concluding }) as ToolExecutionResult
}

const TOLD_COERCIONS = 50

/** A result that says what was changed in the call's arguments. */
function withCoercions({ coercions }: CallState, result: ToolExecutionResult): ToolExecutionResult {
  if (coercions.length === 0) return result
  const changes = Object.freeze(
    coercions.slice(0, TOLD_COERCIONS).map(change => Object.freeze({ ...change })),
  )
  const coercedArguments = Object.freeze({ count: coercions.length, changes })
  return Object.freeze({ ...result, meta: Object.freeze({ ...result.meta, coercedArguments }) })
}

/**
 * A success that the abort overtook is none: the caller must not take it for one. Failures say more and stand; they tell too
 * whether the body has ended, where that was aborted or left.
 */
function cancelled(state: CallState, result: ToolExecutionResult): ToolExecutionResult {
  const { aborted } = state.lifetime
  if (!result.isError) return aborted ? abortedCall(state, result.additionalContexts) : result
  if (!state.bodyStarted || (!aborted && state.bodiesRunning === 0)) return result
  const { error } = result
  if (error.details?.bodyStopped !== undefined) return result
  const details = Object.freeze({ ...error.details, bodyStopped: state.bodiesRunning === 0 })
  return Object.freeze({ ...result, error: Object.freeze({ ...error, details }) })
}

/** Lets the tool have the last word on the content. A finaliser that fails turns a success into a failure, never back. */
function finalizeContent(state: CallState, result: ToolExecutionResult): Pending<ToolExecutionResult> {
  const finalizer = state.tool?.finalizeContent
  return finalizer === undefined ? result : finalizeWith(finalizer, state, result)
}

async function finalizeWith(
  finalizer: NonNullable<RegisteredTool['finalizeContent']>,
  state: CallState,
  result: ToolExecutionResult,
): Promise<ToolExecutionResult> {
  const { call, host } = state
  const contexts = result.additionalContexts
  try {
    const returned = finalizer(call, result)
    const given = await withinGrace(state, Promise.resolve(returned), () => {
      throw new Error('it had not ended when the call was aborted')
    })
    if (given === undefined) return result
    const copy = trySnapshot(given, host.resultLimits, 'content')
    const fault = copy.ok ? contentFault(copy.value, 'content') : copy.message
    if (copy.ok && fault === undefined)
      return Object.freeze({ ...result, content: copy.value as unknown as readonly ContentBlock[] })
    if (result.isError) return result
    const message = `finalizeContent of tool ${quoteName(call.name)} returned invalid content: ${fault}`
    return failed(call, 'INVALID_TOOL_OUTPUT', message, undefined, { contexts })
  } catch (error) {
    if (result.isError) return result
    const message = `finalizeContent of tool ${quoteName(call.name)} failed: ${host.describeError(error, call)}`
    return failed(call, 'TOOL_FAILED', message, undefined, { contexts })
  }
}

/** Ends a call: an abort that overtook it, the tool's own last word, observers. */
export function endCall(state: CallState, judged: ToolExecutionResult): Pending<ToolExecutionResult> {
  const result = finalizeContent(state, withCoercions(state, cancelled(state, judged)))
  return isPending(result) ? result.then(last => notify(state, last)) : notify(state, result)
}

/** Ends a call that broke the pipeline itself: even then there is one result, and nothing is left behind. */
export function endBroken(state: CallState, error: unknown): ToolExecutionResult {
  const { result } = brokenPipeline(state, error)
  return state.settled ? result : notify(state, result)
}

/** Ends the call and tells the observers, once. Nothing they do changes the result. */
function notify(state: CallState, result: ToolExecutionResult): ToolExecutionResult {
  const { host, call, policy, lifetime } = state
  state.settled = true
  host.running.delete(state)
  lifetime.end()
  const { callId, name, scope } = call
  for (const observer of policy.onResult)
    contain(
      () => observer.run(call, result),
      error =>
        host.events.emit('observer-error', {
          event: `onResult of ${observer.name}`,
          error,
          callId,
          name,
          scope,
        }),
    )
  if (host.events.has('result')) host.events.emit('result', { callId, name, scope, call, result })
  return result
}

/** The text of a tool's error, by the host's own words where it has some that work. */
export const describeWith =
  <C>(describe: ((error: unknown, call: C) => string) | undefined) =>
  (error: unknown, call: C): string => {
    if (describe === undefined) return describeError(error)
    try {
      const text: unknown = describe(error, call)
      dropRejection(text)
      return typeof text === 'string' ? describeError(text) : 'the tool failed'
    } catch {
      return 'the tool failed'
    }
  }

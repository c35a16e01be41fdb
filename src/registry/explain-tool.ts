import { dropRejection } from '../events/event-hub.js'
import { CallLifetime } from '../pipeline/call-lifetime.js'
import { CallRecord } from '../pipeline/call-state.js'
import { explainVisibility, type ToolExplanation } from '../scopes/explain.js'
import { CallId } from '../tools/call-id.js'
import type { ToolExecutionToken } from '../tools/tool-call.js'
import type { ScopeCore } from './scope-core.js'

/** Explains a name in a scope. Guards are asked about a call with empty arguments; what they say of others is not known. */
export function explainTool(scope: ScopeCore, name: string): ToolExplanation {
  const explained = explainVisibility(scope.node, name)
  const { guards, preExecute } = scope.policy()
  if (explained.status !== 'callable') return explained
  const callId = CallId('explain')
  const token = Object.freeze({}) as ToolExecutionToken
  const call = new CallRecord(
    { token, callId, rootCallId: callId, name, arguments: Object.freeze({}), scope: scope.id },
    new CallLifetime(),
  )
  for (const guard of guards) {
    const reason = reasonOf(() => guard.run(call))
    if (reason === undefined) continue
    const text = `"${name}" is refused by guard "${guard.name}" of scope "${guard.scope}": ${reason}`
    return { ...explained, status: 'guarded', scope: guard.scope, by: guard.name, text }
  }
  const [g, s] = [guards.length, preExecute.length]
  const others = [
    ...(g > 0 ? [`${g} ${g === 1 ? 'guard' : 'guards'}`] : []),
    ...(s > 0 ? [`${s} ${s === 1 ? 'stage' : 'stages'}`] : []),
  ]
  if (others.length === 0) return explained
  return { ...explained, text: `${explained.text}; ${others.join(' and ')} may still refuse a call of it` }
}

/** Why a guard refuses; `undefined` where it does not, or needs real arguments to say. */
function reasonOf(ask: () => unknown): string | undefined {
  try {
    const answer = ask()
    if (answer === undefined || (typeof answer === 'string' && answer !== '')) return answer
    dropRejection(answer)
    return 'its answer is neither a reason nor undefined'
  } catch {
    return undefined
  }
}

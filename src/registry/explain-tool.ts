import { CallLifetime } from '../pipeline/call-lifetime.js'
import { CallRecord } from '../pipeline/call-state.js'
import { explainVisibility, type ToolExplanation } from '../scopes/explain.js'
import { CallId } from '../tools/call-id.js'
import type { ToolExecutionToken } from '../tools/tool-call.js'
import type { ScopeCore } from './scope-core.js'

/** Explains a name in a scope. Guards are asked about a call with empty arguments; what they say of others is not known. */
export function explainTool(scope: ScopeCore, name: string): ToolExplanation {
  const explained = explainVisibility(scope.node, name)
  const { guards } = scope.policy()
  if (explained.status !== 'callable' || guards.length === 0) return explained
  const callId = CallId('explain')
  const token = Object.freeze({}) as ToolExecutionToken
  const call = new CallRecord(
    { token, callId, rootCallId: callId, name, arguments: Object.freeze({}), scope: scope.id },
    new CallLifetime(),
  )
  for (const guard of guards) {
    try {
      const reason: unknown = guard.run(call)
      if (typeof reason !== 'string' || reason === '') continue
      const text = `"${name}" is refused by guard "${guard.name}": ${reason}`
      return { ...explained, status: 'guarded', scope: guard.scope, by: guard.name, text }
    } catch {
      // A guard that needs real arguments says nothing about a name alone.
    }
  }
  return {
    ...explained,
    text: `${explained.text}; ${guards.length} guard(s) may still refuse it by its arguments`,
  }
}

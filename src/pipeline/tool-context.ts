import { ToolgateError } from '../errors/toolgate-error.js'
import type { ToolContext, ToolProgress } from '../tools/tool-call.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import type { CallState } from './call-state.js'
import { copyContexts } from './decisions.js'

function cleanProgress({ message, completed, total }: ToolProgress): ToolProgress {
  return {
    ...(typeof message === 'string' && { message }),
    ...(typeof completed === 'number' && { completed }),
    ...(typeof total === 'number' && { total }),
  }
}

/** What a body gets. `signalOf` joins the call's signal with an around stage's when the body first asks for it. */
export function createContext(state: CallState, signalOf: () => AbortSignal): ToolContext {
  const { call, host } = state
  const requireRunning = (action: string): void => {
    if (state.settled)
      throw new ToolgateError('INVALID_CALL', `${action} came too late: the call to "${call.name}" has ended`)
  }
  return Object.freeze({
    token: call.token,
    callId: call.callId,
    rootCallId: call.rootCallId,
    name: call.name,
    arguments: call.arguments,
    scope: call.scope,
    caller: call.caller,
    ...(call.parent !== undefined && { parent: call.parent }),
    get signal(): AbortSignal {
      return signalOf()
    },
    deferContext(context: AdditionalContext): void {
      requireRunning('deferContext')
      const copied = copyContexts([context], 'contexts')
      if (typeof copied === 'string')
        throw new ToolgateError(
          'INVALID_TOOL_OUTPUT',
          `Tool "${call.name}" deferred an invalid context: ${copied}`,
        )
      state.contexts.push(...copied)
    },
    concludeTurn(): void {
      requireRunning('concludeTurn')
      state.concludesTurn = true
    },
    progress(progress: ToolProgress): void {
      if (state.settled || !host.events.has('progress')) return
      const { callId, name, scope } = call
      host.events.emit('progress', { callId, name, scope, ...cleanProgress(progress) })
    },
  })
}

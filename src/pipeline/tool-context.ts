import { quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { contain } from '../events/event-hub.js'
import type { ToolContext, ToolProgress } from '../tools/tool-call.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import type { CallLifetime } from './call-lifetime.js'
import type { CallState } from './call-state.js'
import { CallView } from './call-view.js'
import { copyContexts } from './decisions.js'

const ignore = (): void => {}

/** What a body tells of its progress, as far as it can be read: telling never fails. */
function cleanProgress(given: ToolProgress): ToolProgress {
  try {
    const { message, completed, total } = given
    return {
      ...(typeof message === 'string' && { message }),
      ...(typeof completed === 'number' && { completed }),
      ...(typeof total === 'number' && { total }),
    }
  } catch {
    return {}
  }
}

function requireRunning({ settled, call }: CallState, action: string): void {
  if (settled)
    throw new ToolgateError(
      'INVALID_CALL',
      `${action} came too late: the call to ${quoteName(call.name)} has ended`,
    )
}

/**
 * What a body gets: the call's record, and functions that may be taken off it. Everything is made when it is first asked
 * for, as most bodies ask for little.
 */
export class BodyContext extends CallView implements ToolContext {
  readonly #state: CallState
  readonly #lifetime: CallLifetime

  constructor(state: CallState, lifetime: CallLifetime) {
    super(state.call)
    this.#state = state
    this.#lifetime = lifetime
    Object.freeze(this)
  }
  get signal(): AbortSignal {
    return this.#lifetime.signal
  }
  get deferContext(): ToolContext['deferContext'] {
    const state = this.#state
    return (context: AdditionalContext): void => {
      requireRunning(state, 'deferContext')
      const copied = copyContexts([context], 'contexts')
      if (typeof copied === 'string') {
        const message = `Tool ${quoteName(state.call.name)} deferred a context that ${copied}`
        throw new ToolgateError('INVALID_TOOL_OUTPUT', message)
      }
      state.contexts = [...state.contexts, ...copied]
    }
  }
  get concludeTurn(): ToolContext['concludeTurn'] {
    const state = this.#state
    return (): void => {
      requireRunning(state, 'concludeTurn')
      state.concludesTurn = true
    }
  }
  get progress(): ToolContext['progress'] {
    const state = this.#state
    return (progress: ToolProgress): void => {
      const { events } = state.host
      if (state.settled || (state.progressListeners.length === 0 && !events.has('progress'))) return
      const { callId, name, scope } = state.call
      const clean = Object.freeze(cleanProgress(progress))
      for (const listener of state.progressListeners) contain(() => listener(clean), ignore)
      events.emit('progress', { callId, name, scope, ...clean })
    }
  }
}

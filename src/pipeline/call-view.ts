import type { JsonValue } from '../json/json-value.js'
import type { CallId, ScopeId } from '../tools/call-id.js'
import type { ToolCall, ToolExecutionToken, ToolInfo } from '../tools/tool-call.js'

/** A call's record as seen by what may do more with it than read: the fields are getters, so that to set one throws. */
export class CallView implements Omit<ToolCall, 'signal'> {
  readonly #call: ToolCall

  constructor(call: ToolCall) {
    this.#call = call
  }
  get token(): ToolExecutionToken {
    return this.#call.token
  }
  get callId(): CallId {
    return this.#call.callId
  }
  get rootCallId(): CallId {
    return this.#call.rootCallId
  }
  get name(): string {
    return this.#call.name
  }
  get arguments(): JsonValue | undefined {
    return this.#call.arguments
  }
  get scope(): ScopeId {
    return this.#call.scope
  }
  get tool(): ToolInfo | undefined {
    return this.#call.tool
  }
  get caller(): unknown {
    return this.#call.caller
  }
  get parent(): ToolExecutionToken {
    return this.#call.parent as ToolExecutionToken
  }
}

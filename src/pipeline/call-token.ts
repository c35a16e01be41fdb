import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import type { CallLifetime } from './call-lifetime.js'

/** A call that runs now, as far as others may see it. */
export interface RunningCall {
  readonly call: ToolCall
  readonly lifetime: CallLifetime
  /** Where it stands among the running; kept by `RunningCalls`. */
  slot: number
}

let tieTo: (token: CallToken, running: RunningCall | undefined) => void
let tiedTo: (token: object) => RunningCall | undefined

// What a token stands for is private to it: nothing shows outside, nothing is kept once the call has ended, and no
// look-alike has it.
class CallToken {
  #running: RunningCall | undefined

  constructor() {
    Object.freeze(this)
  }

  static {
    tieTo = (token, running) => {
      token.#running = running
    }
    tiedTo = token => (#running in token ? token.#running : undefined)
  }
}
Reflect.deleteProperty(CallToken.prototype, 'constructor')
Object.freeze(CallToken.prototype)

/** A new token; it stands for no call yet. */
export const createToken = (): ToolExecutionToken => new CallToken() as unknown as ToolExecutionToken

/** Makes a token stand for a call, or for none any more. */
export const tie = (token: ToolExecutionToken, running: RunningCall | undefined): void =>
  tieTo(token as unknown as CallToken, running)

/** The call that a token stands for; `undefined` for a spent token and for anything else. */
export const tied = (token: object): RunningCall | undefined => tiedTo(token)

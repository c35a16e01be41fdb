import { checkChoice, checkOptions, type WireOptions } from '../wire/wire-adapter.js'

/** Options of the adapters for OpenAI. */
export interface OpenAiOptions extends WireOptions {
  /**
   * True, the default: each tool whose schema allows it is sent as strict, its optional properties as ones that may be null,
   * which are taken out again when they come back; `findings()` says which tools are not, and why. False: none is.
   */
  readonly strict?: boolean | undefined
}

export function readStrict(adapter: string, options: OpenAiOptions): boolean {
  checkOptions(adapter, options, ['strict', 'newCallId'])
  checkChoice(adapter, 'strict', options.strict, [true, false])
  return options.strict ?? true
}

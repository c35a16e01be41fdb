import type { LoopMaker } from './await-loops.js'
import type { EditedText } from './edited-text.js'

/** Why a text cannot run. */
export interface ParseFault {
  readonly kind: 'syntax' | 'stack'
  readonly message: string
  /** Where, as an offset. */
  readonly at: number | undefined
}

export type StripOutcome =
  | {
      readonly ok: true
      readonly stripped: EditedText
      /** True if it returns what it exported as its default, and that may be a function to call. */
      readonly callsDefault: boolean
      /** True if what it returns in brackets begins with a function, and is more than that. */
      readonly goesOn: boolean
      readonly loopMaker: LoopMaker | undefined
    }
  | { readonly ok: false; readonly fault: ParseFault }

/** Reads a text and takes its types off. */
export interface TypeStripper {
  strip(text: string): StripOutcome
}

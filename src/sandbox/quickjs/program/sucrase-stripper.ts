import { eraseTypes } from './erase-types.js'
import { goesOnAfterFunction } from './goes-on-after-function.js'
import { meteredText, ReadTooOften } from './metered-text.js'
import { parseSource } from './parse-source.js'
import type { ParseFault, TypeStripper } from './type-stripper.js'
import { isUnsupported } from './unsupported-syntax.js'

const TOO_AMBIGUOUS =
  'The program is too hard to read: arrow functions or type assertions stand inside the parameters or operands of others, ' +
  'many levels deep. Give the inner ones names'
const TOO_DEEP = 'The program is nested too deeply to be read. Give inner parts names.'

function readFault(error: unknown): ParseFault {
  if (error instanceof ReadTooOften) return { kind: 'syntax', message: TOO_AMBIGUOUS, at: undefined }
  const { message = '', pos } = error as { message?: string; pos?: number }
  // The parser recurses, and the host's stack ends.
  if (pos === undefined) return { kind: 'stack', message: TOO_DEEP, at: undefined }
  return { kind: 'syntax', message: message.replace(/ \(\d+:\d+\)$/, ''), at: pos }
}

/** Takes types off: the parser is sucrase's, what is written is ours. */
export const sucraseStripper: TypeStripper = {
  strip(text) {
    try {
      const source = parseSource(meteredText(text))
      const erased = eraseTypes(text, source)
      if (isUnsupported(erased)) return { ok: false, fault: { kind: 'syntax', ...erased } }
      const { callsDefault, loopMaker } = erased
      return {
        ok: true,
        stripped: erased,
        callsDefault,
        loopMaker,
        goesOn: goesOnAfterFunction(text, source),
      }
    } catch (error) {
      return { ok: false, fault: readFault(error) }
    }
  },
}

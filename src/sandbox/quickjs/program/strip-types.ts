import { MeteredText, TooAmbiguous } from './metered-text.js'
import { meteredText, ReadTooOften } from './metered-text.js'
import { type Position, sourceMapLookup } from './source-map.js'
import { type ProgramToken, readTokenTable } from './token-table.js'

/** Why a text does not parse. */
export interface ParseFault {
  readonly kind: 'syntax' | 'stack'
  readonly message: string
  readonly position: Position | undefined
}

export type StripOutcome =
  | { readonly ok: true; readonly code: string; readonly toSource: (generated: Position) => Position }
  | { readonly ok: false; readonly fault: ParseFault }

/** Takes types off, by sucrase. */
export interface TypeStripper {
  strip(text: string): StripOutcome
  /** The tokens of a text that parses. */
  tokens(text: string): readonly ProgramToken[]
}

const FILE = 'program.ts'
const TOO_AMBIGUOUS =
  'too many arrow functions or generics inside each other’s parameters; take them apart into several statements'
const TOO_DEEP = 'The program is nested too deeply to be read; take it apart into several statements.'

const TOO_AMBIGUOUS =
  'The program is too hard to read: arrow functions or type assertions stand inside the parameters or operands of others, ' +
  'many levels deep. Give the inner ones names'
const TOO_DEEP = 'The program nests too deeply. Give inner parts names'

function readFault(error: unknown): ParseFault {
  if (error instanceof ReadTooOften) return { message: TOO_AMBIGUOUS, position: undefined }
  // The parser recurses, and the host's stack ends.
  if (error instanceof RangeError) return { message: TOO_DEEP, position: undefined }
  if (error instanceof TooAmbiguous) return { kind: 'syntax', message: TOO_AMBIGUOUS, position: undefined }
  const { message = '', loc } = error as { message?: string; loc?: Position }
  // The stripper recurses on the host's stack.
  if (loc === undefined) return { kind: 'stack', message: TOO_DEEP, position: undefined }
  const shown = message.replace(`Error transforming ${FILE}: `, '').replace(/ \(\d+:\d+\)$/, '')
  return { kind: 'syntax', message: shown, position: { line: loc.line, column: loc.column } }
}

let loaded: Promise<TypeStripper> | undefined

async function load(): Promise<TypeStripper> {
  const { transform, getFormattedTokens } = await import('sucrase')
  const options = { transforms: ['typescript' as const], disableESTransforms: true, filePath: FILE }
  const metered = (text: string): string => new MeteredText(text) as unknown as string
  return {
    strip(text) {
      try {
        const mapped = { ...options, sourceMapOptions: { compiledFilename: FILE } }
        const { code, sourceMap } = transform(metered(text), mapped)
        return { ok: true, code, toSource: sourceMapLookup(sourceMap?.mappings ?? '') }
      } catch (error) {
        return { ok: false, fault: readFault(error) }
      }
    },
    tokens: text => readTokenTable(text, oneLine => getFormattedTokens(metered(oneLine), options)),
  }
}

/** The stripper, loaded at the first program. */
export function loadTypeStripper(): Promise<TypeStripper> {
  loaded ??= load().catch(error => {
    loaded = undefined
    throw error
  })
  return loaded
}

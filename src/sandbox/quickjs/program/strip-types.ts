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
  | {
      readonly ok: true
      readonly code: string
      readonly toSource: (generated: Position) => Position | undefined
    }
  | { readonly ok: false; readonly fault: ParseFault }

/** Takes types off, by sucrase. */
export interface TypeStripper {
  strip(text: string): StripOutcome
  /** The tokens of a text that `strip` has taken. */
  tokens(text: string): readonly ProgramToken[]
}

const FILE = 'program.ts'
const TOO_AMBIGUOUS =
  'The program is too hard to read: arrow functions, type assertions or classes stand inside the parameters, operands or fields ' +
  'of others, many levels deep. Give the inner ones names'
const TOO_MANY_FIELDS =
  'The program is too hard to read: its classes have thousands of class fields with values, or stand inside the fields of ' +
  'others, many levels deep. Keep such data in an object or an array'
const TOO_DEEP = 'The program is nested too deeply to be read. Give inner parts names.'

function readFault(error: unknown): ParseFault {
  if (error instanceof ReadTooOften) {
    const message = error.of === 'fields' ? TOO_MANY_FIELDS : TOO_AMBIGUOUS
    return { kind: 'syntax', message, position: undefined }
  }
  const { message = '', loc } = error as { message?: string; loc?: Position }
  // The stripper recurses, and the host's stack ends.
  if (loc === undefined) return { kind: 'stack', message: TOO_DEEP, position: undefined }
  const shown = message.replace(`Error transforming ${FILE}: `, '').replace(/ \(\d+:\d+\)$/, '')
  return { kind: 'syntax', message: shown, position: { line: loc.line, column: loc.column } }
}

let loaded: Promise<TypeStripper> | undefined

async function load(): Promise<TypeStripper> {
  const { transform, getFormattedTokens } = await import('sucrase')
  const options = { transforms: ['typescript' as const], disableESTransforms: true, filePath: FILE }
  const mapped = { ...options, sourceMapOptions: { compiledFilename: FILE } }
  const codeOf = (text: string): string => transform(meteredText(text), options).code
  const lookupFor = (text: string): ((generated: Position) => Position | undefined) => {
    try {
      return sourceMapLookup(transform(text, mapped).sourceMap?.mappings ?? '')
    } catch {
      // What just fitted on the host's stack may not fit from where it is called now.
      return () => undefined
    }
  }
  return {
    strip(text) {
      try {
        const code = codeOf(text)
        // Only a failure looks a place up, and most programs do not fail.
        let lookup: ((generated: Position) => Position | undefined) | undefined
        const toSource = (generated: Position): Position | undefined => {
          lookup ??= lookupFor(text)
          return lookup(generated)
        }
        return { ok: true, code, toSource }
      } catch (error) {
        return { ok: false, fault: readFault(error) }
      }
    },
    tokens: text => readTokenTable(text, oneLine => getFormattedTokens(oneLine, options)),
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

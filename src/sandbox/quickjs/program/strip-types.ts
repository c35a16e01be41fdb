import { type Position, sourceMapLookup } from './source-map.js'
import type { ProgramToken } from './token-table.js'
import { readTokenTable } from './token-table.js'

/** Why a text does not parse. */
export interface ParseFault {
  readonly message: string
  readonly position: Position | undefined
}

export type StripOutcome =
  | { readonly ok: true; readonly code: string; readonly toSource: (generated: Position) => Position }
  | { readonly ok: false; readonly fault: ParseFault }

/** Takes types off, by sucrase. */
export interface TypeStripper {
  strip(text: string): StripOutcome
  tokens(text: string): readonly ProgramToken[]
}

const FILE = 'program.ts'

function readFault(error: unknown): ParseFault {
  const { message = '', loc } = error as { message?: string; loc?: Position }
  const shown = message.replace(`Error transforming ${FILE}: `, '').replace(/\s*\(\d+:\d+\)$/, '')
  return { message: shown, position: loc && { line: loc.line, column: loc.column } }
}

let loaded: Promise<TypeStripper> | undefined

async function load(): Promise<TypeStripper> {
  const { transform, getFormattedTokens } = await import('sucrase')
  const options = { transforms: ['typescript' as const], disableESTransforms: true, filePath: FILE }
  const mapped = { ...options, sourceMapOptions: { compiledFilename: FILE } }
  return {
    strip(text) {
      try {
        const { code } = transform(text, options)
        let lookUp: ((generated: Position) => Position) | undefined
        // Most programs never ask where a place came from.
        const toSource = (generated: Position): Position => {
          lookUp ??= sourceMapLookup(transform(text, mapped).sourceMap?.mappings ?? '')
          return lookUp(generated)
        }
        return { ok: true, code, toSource }
      } catch (error) {
        return { ok: false, fault: readFault(error) }
      }
    },
    tokens: text => readTokenTable(getFormattedTokens(text, options)),
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

import type { Position } from './source-map.js'
import type { ProgramToken } from './token-table.js'

/** Something that parses as TypeScript and cannot run here. */
export interface UnsupportedSyntax extends Position {
  readonly message: string
}

/** Cheap test for words that `findUnsupported` looks at; most programs have none of them. */
export const MAY_BE_UNSUPPORTED: RegExp = /\b(?:import|export|namespace|module)\b/

const RUNS = new Set(['const', 'let', 'var', 'function', 'class', 'enum'])
const ERASED = new Set(['type', 'interface', 'declare', 'namespace', 'module', 'abstract'])

/** The end of the block that opens at or after a token. */
function blockEnd(tokens: readonly ProgramToken[], from: number): number {
  let depth = 0
  for (let i = from; i < tokens.length; i++) {
    const label = tokens[i]?.label
    if (label === '{' || label === '${') depth += 1
    if (label === '}') depth -= 1
    if (label === '}' && depth === 0) return i
  }
  return tokens.length - 1
}

/**
 * Finds imports, exports other than `default`, and namespaces that hold values: the stripper drops the last ones without a
 * word.
 */
export function findUnsupported(tokens: readonly ProgramToken[]): UnsupportedSyntax | undefined {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as ProgramToken
    const previous = tokens[i - 1]
    const next = tokens[i + 1]
    const { line, column } = token
    if (previous?.label === '.' || previous?.label === '?.' || next === undefined) continue
    if (token.raw === 'declare' && token.isType && (next.raw === 'namespace' || next.raw === 'module')) {
      i = blockEnd(tokens, i)
      continue
    }
    if (token.label === 'import' && !token.isType && next.label !== '(' && next.label !== '.') {
      if (next.raw === 'type') continue
      const message = 'import is not available: a program has no modules, only the globals it is given'
      return { line, column, message }
    }
    if (token.label === 'export' && !token.isType && next.label !== 'default' && !ERASED.has(next.raw)) {
      const message = 'export is not available: return the result instead'
      return { line, column, message }
    }
    const named = (token.raw === 'namespace' || token.raw === 'module') && token.isType
    if (!named || next.label === ':' || next.label === '=') continue
    const end = blockEnd(tokens, i)
    const inner = tokens.slice(i + 2, end)
    if (inner.some((t, k) => RUNS.has(t.label) && inner[k - 1]?.raw !== 'declare')) {
      const message = `namespace ${next.raw} holds values, which is not supported: write const ${next.raw} = { ... } instead`
      return { line, column, message }
    }
    i = end
  }
  return undefined
}

/** Where a top-level `export default` stands. */
export function findDefaultExport(
  tokens: readonly ProgramToken[],
): readonly [ProgramToken, ProgramToken] | undefined {
  const at = tokens.findIndex((token, i) => token.label === 'export' && tokens[i + 1]?.label === 'default')
  return at < 0 ? undefined : [tokens[at] as ProgramToken, tokens[at + 1] as ProgramToken]
}

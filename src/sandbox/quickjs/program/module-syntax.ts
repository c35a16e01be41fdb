import type { Edit } from './edited-text.js'
import { KIND, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'
import { unusedName } from './unused-name.js'

const NO_IMPORT = 'import is not available: a program has no modules, only the globals it is given'
const NO_EXPORT = 'export is not available: return the result instead'
const INNER_DEFAULT = 'export default stands inside a block or a function: return the result instead'

/** The index after `import type ...` or `export type { ... }`, whose first word is at `at`; none for anything else. */
function endOfTypes(tokens: readonly SourceToken[], at: number): number | undefined {
  const is = (index: number, kind: string): boolean => tokens[index]?.type === KIND[kind]
  const isWord = (index: number, word: string): boolean => tokens[index]?.contextualKeyword === WORD[word]
  if (!isWord(at + 1, '_type')) return undefined
  let i = at + 2
  const isExport = is(at, '_export')
  if (is(i, 'name') && !isExport) {
    // `import type from 'a'` imports a value that is named so.
    if (isWord(i, '_from') && !isWord(i + 1, '_from')) return undefined
    i += 1
    if (is(i, 'eq')) {
      for (i += 2; is(i, 'dot'); i += 2);
      if (is(i, 'parenL')) i += 3
      return is(i, 'semi') ? i + 1 : i
    }
  } else if (is(i, 'star')) {
    for (i += 1; is(i, 'name') && !isWord(i, '_from'); i += 1);
  } else if (is(i, 'braceL')) {
    while (i < tokens.length && !is(i, 'braceR')) i += 1
    i += 1
  } else return undefined
  if (isWord(i, '_from') && is(i + 1, 'string')) {
    i += 2
    if ((is(i, '_with') || isWord(i, '_assert')) && is(i + 1, 'braceL')) {
      while (i < tokens.length && !is(i, 'braceR')) i += 1
      i += 1
    }
  } else if (!isExport) return undefined
  return is(i, 'semi') ? i + 1 : i
}

/** Where reading goes on, what is written, and what is exported as the default. */
export interface ModuleEdits {
  readonly next: number
  readonly edits: readonly Edit[]
  /** What stands behind everything else that is written at its place. */
  readonly last: readonly Edit[]
  readonly exports?: 'value' | 'class'
}

/** The name that a declaration makes, whose first word is at `at`; none for an expression. */
function declaredName(text: string, tokens: readonly SourceToken[], at: number): string | undefined {
  const is = (index: number, kind: string): boolean => tokens[index]?.type === KIND[kind]
  const isAsync = tokens[at]?.contextualKeyword === WORD._async && is(at + 1, '_function')
  const word = isAsync ? at + 1 : at
  const isFunction = is(word, '_function')
  if (!isFunction && !is(word, '_class')) return undefined
  const name = tokens[isFunction && is(word + 1, 'star') ? word + 2 : word + 1]
  if (name === undefined || name.type !== KIND.name || name.isType) return undefined
  return text.slice(name.start, name.end)
}

/**
 * What becomes of `import` or `export`: types go, the first `export default` is the program's result once the rest has run, and
 * all else is refused.
 */
export function moduleEdits(
  text: string,
  tokens: readonly SourceToken[],
  at: number,
  hasDefault: boolean,
): ModuleEdits | UnsupportedSyntax | undefined {
  const token = tokens[at] as SourceToken
  const next = tokens[at + 1] as SourceToken
  const { start } = token
  const isImport = token.type === KIND._import
  if (isImport && (next.type === KIND.parenL || next.type === KIND.dot)) return undefined
  const end = endOfTypes(tokens, at)
  if (end !== undefined)
    return { next: end, edits: [{ start, end: (tokens[end - 1] as SourceToken).end, text: ';' }], last: [] }
  if (isImport) return { message: NO_IMPORT, at: start }
  if (next.type !== KIND._default || hasDefault) return { message: NO_EXPORT, at: start }
  if (token.scopeDepth > 0) return { message: INNER_DEFAULT, at: start }
  const { start: first } = tokens[at + 2] as SourceToken
  const declared = declaredName(text, tokens, at + 2)
  const result = declared ?? unusedName(text, 'exported')
  const stop = (tokens[(token.rhsEndIndex ?? at + 3) - 1] as SourceToken).end
  const edits = [{ start, end: first, text: declared === undefined ? `const ${result} = ` : '' }]
  const last: Edit[] = [{ start: text.length, end: text.length, text: `\nreturn ${result};` }]
  if (declared === undefined) last.unshift({ start: stop, end: stop, text: ';' })
  const { type } = tokens[at + 2] as SourceToken
  const isClass = type === KIND._class || type === KIND._abstract
  return { next: at + 2, edits, last, exports: isClass ? 'class' : 'value' }
}

import { hasLineBreak } from './line-breaks.js'
import { KIND, WORD } from './parse-source.js'
import type { SourceToken } from './source-token.js'
import type { UnsupportedSyntax } from './unsupported-syntax.js'

const NO_DECORATORS = 'decorators are not available: call the function with the class'
const NO_ACCESSORS = 'accessor fields are not available: write a getter and a setter'
const NO_USING = 'using is not available: write try { ... } finally { ... } and end it there'

/** Syntax that the parser reads and the engine does not. */
export function missingSyntax(
  text: string,
  tokens: readonly SourceToken[],
  at: number,
): UnsupportedSyntax | undefined {
  const { type, contextualKeyword: word, contextId, start, end } = tokens[at] as SourceToken
  if (type === KIND.at) return { message: NO_DECORATORS, at: start }
  if (word !== WORD._accessor && word !== WORD._using) return undefined
  const next = tokens[at + 1] as SourceToken
  if (next.isType || hasLineBreak(text, end, next.start)) return undefined
  if (word === WORD._accessor) {
    // Both are names of members of the same class or object.
    const name = next.type === KIND.hash ? (tokens[at + 2] as SourceToken) : next
    const isModifier = contextId !== null && name.contextId === contextId && name.type !== KIND.braceR
    return isModifier ? { message: NO_ACCESSORS, at: start } : undefined
  }
  const isDeclared = next.type === KIND.name && next.contextualKeyword !== WORD._of
  return isDeclared ? { message: NO_USING, at: start } : undefined
}

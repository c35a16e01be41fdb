import { KIND, type ParsedSource, WORD } from './parse-source.js'

/**
 * True for a text that returns, in brackets, what begins with the word `function` and is more than that function. As a body it
 * would begin with a declaration, which ends where the function does.
 */
export function goesOnAfterFunction(text: string, { tokens, scopes }: ParsedSource): boolean {
  const first = 2
  const word = tokens[first]?.contextualKeyword === WORD._async ? first + 1 : first
  // In expressions the parser takes the word for a name.
  if (text.slice(tokens[word]?.start, tokens[word]?.end) !== 'function') return false
  const start = tokens[word + 1]?.type === KIND.star ? word + 2 : word + 1
  // Behind the last bracket stands the token for the end.
  const end = tokens.length - 2
  return !scopes.some(
    scope => scope.isFunctionScope && scope.startTokenIndex === start && scope.endTokenIndex === end,
  )
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const SPACES = ' \t\n\r'
// What tokens begin with, up to the end of the text.
const CUT_ESCAPE = /\\(?:u[\da-fA-F]{0,3})?$/y
const CUT_LITERAL = /(?:-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/y
const CUT_NUMBER = /(?:\.|[eE][+-]?)$/y

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

// A loop: a pattern over a whole long string overflows the engine's own stack. Infinity for one that the text ends in.
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return -1
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit < 0x20) return -1
    if (unit !== 0x5c) continue
    if (!matchesAt(ESCAPE, text, at)) return matchesAt(CUT_ESCAPE, text, at) ? Number.POSITIVE_INFINITY : -1
    at = ESCAPE.lastIndex - 1
  }
  return Number.POSITIVE_INFINITY
}

/**
 * Where a text stops being JSON: the index of the first token that cannot stand there, or the text's length if it is cut
 * short. Engines word this differently or not at all. Iterative; for text that `JSON.parse` has refused.
 */
export function jsonErrorPosition(text: string): number {
  const closers: string[] = []
  let at = 0
  let state: 'value' | 'first' | 'key' | 'firstKey' | 'after' = 'value'
  const match = (pattern: RegExp): boolean => {
    if (!matchesAt(pattern, text, at)) return false
    at = pattern.lastIndex
    return true
  }
  const matchString = (): boolean => {
    const end = stringEnd(text, at)
    if (end >= 0) at = Math.min(end, text.length)
    return end >= 0
  }
  const skipSpace = (): void => {
    while (at < text.length && SPACES.includes(text[at] as string)) at++
  }
  for (;;) {
    skipSpace()
    const char = text[at]
    if (state === 'after') {
      const closer = closers[closers.length - 1]
      if (closer === undefined) return at
      if (char === closer) closers.pop()
      else if (char === ',') state = closer === '}' ? 'key' : 'value'
      else return at
      at++
    } else if ((state === 'first' && char === ']') || (state === 'firstKey' && char === '}')) {
      closers.pop()
      at++
      state = 'after'
    } else if (state === 'key' || state === 'firstKey') {
      if (!matchString()) return at
      skipSpace()
      if (text[at] !== ':') return at
      at++
      state = 'value'
    } else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']')
      at++
      state = char === '{' ? 'firstKey' : 'first'
    } else if (match(NUMBER)) {
      match(CUT_NUMBER)
      state = 'after'
    } else if (matchString() || match(LITERAL) || match(CUT_LITERAL)) state = 'after'
    else return at
  }
}

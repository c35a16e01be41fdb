const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const LITERAL = /true|false|null/y
const SPACE = /[ \t\n\r]*/y

/**
 * Where a text stops being JSON: the index of the first token that cannot stand there, or the text's length if it is cut
 * short. Engines word this differently or not at all. Iterative; for text that `JSON.parse` has refused.
 */
export function jsonErrorPosition(text: string): number {
  const closers: string[] = []
  let at = 0
  let state: 'value' | 'first' | 'key' | 'firstKey' | 'after' = 'value'
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  for (;;) {
    match(SPACE)
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
      if (!match(STRING)) return at
      match(SPACE)
      if (text[at] !== ':') return at
      at++
      state = 'value'
    } else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']')
      at++
      state = char === '{' ? 'firstKey' : 'first'
    } else if (match(STRING) || match(NUMBER) || match(LITERAL)) state = 'after'
    else return at
  }
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

// What means something behind a backslash, or is refused bare.
const ESCAPABLE = /[\dA-Za-z^$\\.*+?()[\]{}|/]/
const CLASS_ESCAPE = /^\\[dDwWsS]/
const QUANTIFIER = /^\{\d+(,\d*)?\}/

/**
 * Writes as Unicode mode wants it what only the old grammar takes, and what nobody reads in two ways: needless escapes
 * (`\-`, `\_`), a dash beside a class in a class (`[\w-.]`), lone braces and brackets.
 */
function inUnicodeGrammar(pattern: string): string {
  let out = ''
  let inClass = false
  let i = 0
  const take = (length: number): string => {
    i += length
    return pattern.slice(i - length, i)
  }
  while (i < pattern.length) {
    const rest = pattern.slice(i, i + 24)
    if (rest.startsWith('\\') && rest.length > 1) {
      const isClass = CLASS_ESCAPE.test(rest)
      const pair = take(2)
      out += ESCAPABLE.test(pair[1] as string) || (inClass && pair === '\\-') ? pair : pair.slice(1)
      if (inClass && isClass && pattern[i] === '-' && pattern[i + 1] !== ']') out += `\\${take(1)}`
    } else if (inClass) {
      const isDashBeforeClass = rest.startsWith('-') && CLASS_ESCAPE.test(rest.slice(1))
      if (rest.startsWith(']')) inClass = false
      out += isDashBeforeClass ? `\\${take(1)}` : take(1)
    } else if (rest.startsWith('[')) {
      inClass = true
      out += take(1)
    } else {
      const quantifier = QUANTIFIER.exec(rest)
      if (quantifier !== null) out += take(quantifier[0].length)
      else out += /^[{}\]]/.test(rest) ? `\\${take(1)}` : take(1)
    }
  }
  return out
}

/** The pattern in a form that compiles in Unicode mode, as JSON Schema asks; `undefined` if there is none. */
export function portablePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern
  const rewritten = inUnicodeGrammar(pattern)
  return compiles(rewritten) ? rewritten : undefined
}

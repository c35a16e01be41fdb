function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

// `\-` and the like are refused in Unicode mode although nobody reads them in two ways. Inside a class `\-` must stay.
function withoutNeedlessEscapes(pattern: string): string {
  let inClass = false
  let out = ''
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string
    const next = pattern[i + 1]
    if (char === '\\' && next !== undefined) {
      i++
      const needless = /[^\w^$\\.*+?()[\]{}|/]/.test(next) || next === '_'
      out += needless && !(inClass && next === '-') ? next : char + next
      continue
    }
    if (char === '[') inClass = true
    if (char === ']') inClass = false
    out += char
  }
  return out
}

/** The pattern in a form that compiles in Unicode mode, as JSON Schema asks; `undefined` if there is none. */
export function portablePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern
  const plainer = withoutNeedlessEscapes(pattern)
  return compiles(plainer) ? plainer : undefined
}

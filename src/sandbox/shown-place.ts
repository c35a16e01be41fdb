const [LF, CR, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

interface Place {
  readonly line: number
  readonly column: number
}

/** The place at an offset as `codeFrame` and editors mean it, both from 1: lines end at every line end of the language. */
export function shownPlace(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  let shown = 1
  let start = 0
  for (let i = 0; i < before.length; i++) {
    const unit = before.charCodeAt(i)
    const ends = unit === LF || unit === CR || unit === LINE_SEPARATOR || unit === PARAGRAPH_SEPARATOR
    if (!ends || (unit === CR && before.charCodeAt(i + 1) === LF)) continue
    shown += 1
    start = i + 1
  }
  return { line: shown, column: before.length - start + 1 }
}

const [LF, CR, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

interface Place {
  readonly line: number
  readonly column: number
}

/** A place whose lines end at LF alone, as the place that `codeFrame` and editors mean: they end at every line end. */
export function shownPlace(text: string, { line, column }: Place): Place {
  let offset = 0
  for (let left = line; left > 1; left--) offset = text.indexOf('\n', offset) + 1
  const before = text.slice(0, offset + column - 1)
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

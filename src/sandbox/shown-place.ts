const LINE_END = /\r\n|[\n\r\u2028\u2029]/g

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
  for (const end of before.matchAll(LINE_END)) {
    shown += 1
    start = end.index + end[0].length
  }
  return { line: shown, column: before.length - start + 1 }
}

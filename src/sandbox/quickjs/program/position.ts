/** A place in a text; both count from 1, columns in UTF-16 units. Lines end at LF alone. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The place at an offset. */
export function placeOf(text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}

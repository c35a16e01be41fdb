import { countBelow } from './count-below.js'

const [LF, CR, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

interface Place {
  readonly line: number
  readonly column: number
}

/** Where the lines of a text begin: they end at every line end of the language. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const ends = unit === LF || unit === CR || unit === LINE_SEPARATOR || unit === PARAGRAPH_SEPARATOR
    if (ends && !(unit === CR && text.charCodeAt(i + 1) === LF)) starts.push(i + 1)
  }
  return starts
}

/** The places at offsets as `codeFrame` and editors mean them, both from 1. The text is read once, at the first question. */
export function shownPlaces(text: string): (offset: number) => Place {
  let starts: readonly number[] | undefined
  return offset => {
    const begun = starts ?? lineStarts(text)
    starts = begun
    const line = countBelow(begun.length, offset + 1, index => begun[index] as number)
    return { line, column: offset - (begun[line - 1] as number) + 1 }
  }
}

/** One of them. */
export const shownPlace = (text: string, offset: number): Place => shownPlaces(text)(offset)

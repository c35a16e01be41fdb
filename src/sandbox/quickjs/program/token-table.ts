import type { Position } from './source-map.js'

/** One token of the stripper's own table. */
export interface ProgramToken extends Position {
  readonly label: string
  readonly raw: string
  readonly isType: boolean
}

const ROW = /^1:(\d+)-\d+:\d+\s+/
const LINE_END = /[\r\n]/g
/** Ends a line of a program and not one of the table. */
const SEPARATOR = '\u2028'

/** Turns rising offsets of a text into places. */
function placer(text: string): (offset: number) => Position {
  let line = 1
  let start = 0
  return offset => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      line += 1
      start = end + 1
    }
    return { line, column: offset - start + 1 }
  }
}

/**
 * Reads the table that sucrase prints for diagnosis: the only public view of its tokens. It looks for each token's line from
 * the first on, so it is given a text that has one. Columns of the table are found by the heading, since a raw token may
 * hold spaces.
 */
export function readTokenTable(text: string, print: (oneLine: string) => string): readonly ProgramToken[] {
  const [heading = '', ...rows] = print(text.replace(LINE_END, SEPARATOR)).split('\n')
  const [labelAt, rawAt, keywordAt, typeAt] = ['Label', 'Raw', 'contextualKeyword', 'isType'].map(name =>
    heading.indexOf(name),
  ) as [number, number, number, number]
  const placeOf = placer(text)
  return rows.flatMap(row => {
    const place = ROW.exec(row)
    if (place === null) return []
    return [
      {
        ...placeOf(Number(place[1]) - 1),
        label: row.slice(labelAt, rawAt).trim(),
        raw: row.slice(rawAt, keywordAt).trim(),
        isType: row.slice(typeAt, typeAt + 'isType'.length) === 'isType',
      },
    ]
  })
}

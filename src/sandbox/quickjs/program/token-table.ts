import type { Position } from './source-map.js'

/** One token of the stripper's own table. */
export interface ProgramToken extends Position {
  readonly label: string
  readonly raw: string
  readonly isType: boolean
}

const ROW = /^(\d+):(\d+)-\d+:\d+\s+/

/**
 * Reads the table that sucrase prints for diagnosis: the only public view of its tokens. Columns of the table are found by
 * the heading, since a raw token may hold spaces.
 */
export function readTokenTable(table: string): readonly ProgramToken[] {
  const [heading = '', ...rows] = table.split('\n')
  const [labelAt, rawAt, keywordAt, typeAt] = ['Label', 'Raw', 'contextualKeyword', 'isType'].map(name =>
    heading.indexOf(name),
  ) as [number, number, number, number]
  return rows.flatMap(row => {
    const place = ROW.exec(row)
    if (place === null) return []
    return [
      {
        line: Number(place[1]),
        column: Number(place[2]),
        label: row.slice(labelAt, rawAt).trim(),
        raw: row.slice(rawAt, keywordAt).trim(),
        isType: row.slice(typeAt, typeAt + 'isType'.length) === 'isType',
      },
    ]
  })
}

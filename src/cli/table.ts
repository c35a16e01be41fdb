import { oneLine } from './one-line.js'

const GAP = '  '
const MAX_LINE = 120
const LEAST_LAST = 30

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`

/** Rows under a heading, indented; the last column takes what is left of the line and is cut there. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows].map(row => row.map(cell => oneLine(cell)))
  const widths = heading.map((_name, column) => Math.max(...all.map(row => row[column]?.length ?? 0)))
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, GAP.length)
  const room = Math.max(LEAST_LAST, MAX_LINE - before)
  return all
    .map(row =>
      `${GAP}${row.map((cell, column) => (column === row.length - 1 ? cut(cell, room) : cell.padEnd(widths[column] ?? 0))).join(GAP)}`.trimEnd(),
    )
    .join('\n')
}

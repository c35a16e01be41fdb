/** A place in a text; both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Map([...DIGITS].map((digit, value) => [digit, value]))

/** The numbers of one segment, base-64 VLQ. */
function decodeSegment(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = values.get(digit) ?? 0
    value |= (bits & 31) << shift
    shift += 5
    if ((bits & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

/** Looks up where a place in the output came from. One source file; decoded at the first look. */
export function sourceMapLookup(mappings: string): (generated: Position) => Position {
  let lines: (readonly (readonly [column: number, line: number, sourceColumn: number])[])[] | undefined
  const decode = (): NonNullable<typeof lines> => {
    let sourceLine = 0
    let sourceColumn = 0
    return mappings.split(';').map(line => {
      let column = 0
      return line
        .split(',')
        .filter(segment => segment !== '')
        .map(segment => {
          const [columns = 0, , lineDelta = 0, columnDelta = 0] = decodeSegment(segment)
          column += columns
          sourceLine += lineDelta
          sourceColumn += columnDelta
          return [column, sourceLine, sourceColumn] as const
        })
    })
  }
  return ({ line, column }) => {
    lines ??= decode()
    const segments = lines[line - 1] ?? []
    let low = 0
    let high = segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((segments[middle] as readonly [number, number, number])[0] <= column - 1) low = middle + 1
      else high = middle
    }
    const found = segments[low - 1]
    if (found === undefined) return { line, column }
    return { line: found[1] + 1, column: found[2] + 1 + (column - 1 - found[0]) }
  }
}

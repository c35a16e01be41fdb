import type { Position } from '../program/position.js'

const LEAST_LINES = -1
const LINE_STEPS = 5

/** Where a place in a function's code stands in its source, by the table that the engine keeps of each function. */
export function placeOf(table: Uint8Array, code: number): Position {
  let at = 0
  const unsigned = (): number => {
    let value = 0
    for (let shift = 0; at < table.length; shift += 7) {
      const byte = table[at++] as number
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }
  const signed = (): number => {
    const value = unsigned()
    return (value >>> 1) ^ -(value & 1)
  }
  let line = unsigned() + 1
  let column = unsigned() + 1
  let reached = 0
  while (at < table.length) {
    const step = table[at++] as number
    reached += step === 0 ? unsigned() : Math.floor((step - 1) / LINE_STEPS)
    const lines = step === 0 ? signed() : ((step - 1) % LINE_STEPS) + LEAST_LINES
    const columns = signed()
    if (code < reached) break
    line += lines
    column += columns
  }
  return { line, column }
}

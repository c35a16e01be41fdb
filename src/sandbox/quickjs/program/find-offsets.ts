import { countBelow } from '../../count-below.js'
import type { Position } from './position.js'

/**
 * From places in a text, whose columns are characters, to its offsets, which are UTF-16 units. The text is read once, at the
 * first question: a stack asks many, and a program can make its lines long.
 */
export function findOffsets(text: string): (place: Position) => number | undefined {
  let lines: number[] | undefined
  const pairs: number[] = []
  return ({ line, column }) => {
    if (lines === undefined) {
      lines = [0]
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.push(at + 1)
      for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) pairs.push(index)
    }
    const start = lines[line - 1]
    if (start === undefined) return undefined
    const characters = Math.max(0, column - 1)
    const before = countBelow(pairs.length, start, index => pairs[index] as number)
    const inside = countBelow(
      pairs.length - before,
      characters,
      index => (pairs[before + index] as number) - start - index,
    )
    return Math.min(text.length, start + characters + inside)
  }
}

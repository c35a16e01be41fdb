import type { Redaction } from './redaction.js'
import { type FoundSecret, merged, type SecretRange } from './secret-ranges.js'

/** A text without secrets, and how many places were hidden. */
export interface RedactedText {
  readonly text: string
  readonly count: number
  /** True if a secret goes on from here into the next text or came from the one before. */
  readonly isCut: boolean
}

/** Where each piece begins in all of them together, with so much between two. */
function startsOf(pieces: readonly string[], between: number): number[] {
  let at = 0
  return pieces.map(piece => {
    const start = at
    at += piece.length + between
    return start
  })
}

/** The part of each range that lies in each piece; the first part of a range is where its mask stands. */
type Part = FoundSecret & { readonly isFirst: boolean; readonly isLast: boolean }

const WORD = /^(?:.{0,7}|[A-Z]?[a-z]+)$/s

/** True if a secret was found in a text alone that ends with it. */
const endsWhole = (parts: readonly Part[] | undefined, piece: string | undefined): boolean =>
  parts?.some(part => part.end === piece?.length && part.isLast) === true

/** Shares ranges of all pieces together among the pieces. */
function share(
  ranges: readonly FoundSecret[],
  pieces: readonly string[],
  between: number,
  parts: Part[][],
): void {
  const starts = startsOf(pieces, between)
  let piece = 0
  for (const range of ranges) {
    while (piece + 1 < pieces.length && (starts[piece + 1] as number) <= range.start) piece++
    for (let i = piece; i < pieces.length && (starts[i] as number) < range.end; i++) {
      const from = starts[i] as number
      const start = Math.max(0, range.start - from)
      const { length } = pieces[i] as string
      const end = Math.min(length, range.end - from)
      // A whole secret at the end of one text does not make the next word a part of it.
      const isWord = range.start < from && WORD.test((pieces[i] as string).slice(start, end).slice(0, 64))
      if (isWord && endsWhole(parts[i - 1], pieces[i - 1])) break
      if (end > start)
        parts[i]?.push({
          ...range,
          start,
          end,
          isFirst: range.start >= from,
          isLast: range.end <= from + length,
        })
    }
  }
}

const BREAK = '\n\0\n'

/** The ranges of each piece: those inside of it, and those that go from one into the next. */
function partsOf(redaction: Redaction, pieces: readonly string[], isOneText: boolean): Part[][] {
  const parts: Part[][] = pieces.map(() => [])
  const apart = (find: (text: string) => FoundSecret[], between: string): void =>
    share(merged(find(pieces.join(between))), pieces, between.length, parts)
  apart(text => redaction.findKnown(text), BREAK)
  if (redaction.hasOwn)
    for (const [i, piece] of pieces.entries())
      for (const range of redaction.findOwn(piece)) parts[i]?.push({ ...range, isFirst: true, isLast: true })
  if (isOneText && pieces.length > 1) {
    apart(text => [...redaction.findKnown(text), ...redaction.findOwn(text)], '')
  }
  return parts
}

/** Where masks stand already: what is found inside of one is a part of its name. */
function masksIn(redaction: Redaction, text: string): SecretRange[] {
  const found: SecretRange[] = []
  for (const mask of redaction.masks(text))
    for (let at = text.indexOf(mask); at >= 0; at = text.indexOf(mask, at + mask.length))
      found.push({ start: at, end: at + mask.length })
  return found.sort((a, b) => a.start - b.start)
}

/** The ranges that are not all inside of a mask. */
function outside<R extends SecretRange>(ranges: readonly R[], masks: readonly SecretRange[]): readonly R[] {
  let i = 0
  return ranges.filter(({ start, end }) => {
    while (i < masks.length && (masks[i] as SecretRange).end <= start) i++
    const mask = masks[i]
    return mask === undefined || mask.start > start || mask.end < end
  })
}

function hidden(redaction: Redaction, text: string, parts: readonly Part[]): RedactedText {
  const ranges = merged(parts) as Part[]
  const shown = ranges.length === 0 ? ranges : outside(ranges, masksIn(redaction, text))
  if (shown.length === 0) return { text, count: 0, isCut: false }
  let out = ''
  let at = 0
  let count = 0
  for (const { start, end, around = '', kind, isFirst } of shown) {
    out += text.slice(at, start)
    if (isFirst) {
      out += `${around}${redaction.mask(kind)}${around}`
      count++
    }
    at = end
  }
  const isCut = shown.some(({ isFirst, isLast }) => !isFirst || !isLast)
  return { text: out + text.slice(at), count, isCut }
}

/** Texts without secrets, those that go on from one into the next too where they are read as one. */
export function redactTexts(
  redaction: Redaction,
  pieces: readonly string[],
  isOneText: boolean,
): readonly RedactedText[] {
  const parts = partsOf(redaction, pieces, isOneText)
  return pieces.map((text, i) => hidden(redaction, text, parts[i] as Part[]))
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The UTF-8 bytes of one UTF-16 unit: half of four for each half of a pair, and those of U+FFFD for a lone one. */
function unitBytes(text: string, at: number, unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  const isPaired = isHigh(unit) ? isLow(text.charCodeAt(at + 1)) : isHigh(text.charCodeAt(at - 1))
  return isPaired ? 2 : 3
}

/** UTF-8 bytes of a part of a text. */
export function utf8Bytes(text: string, start: number = 0, end: number = text.length): number {
  let bytes = 0
  for (let i = start; i < end; i++) bytes += unitBytes(text, i, text.charCodeAt(i))
  return bytes
}

/** True where a text could be cut without leaving half of a surrogate pair on each side. */
const isBoundary = (text: string, at: number): boolean =>
  !(isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)))

/** As much of the beginning of a text as fits into so many bytes. */
export function firstBytes(text: string, maxBytes: number): string {
  let end = 0
  let bytes = 0
  for (; end < text.length; end++) {
    bytes += unitBytes(text, end, text.charCodeAt(end))
    if (bytes > maxBytes) break
  }
  return text.slice(0, isBoundary(text, end) ? end : end - 1)
}

/** As much of the end of a text as fits into so many bytes. */
export function lastBytes(text: string, maxBytes: number): string {
  let start = text.length
  let bytes = 0
  while (start > 0) {
    bytes += unitBytes(text, start - 1, text.charCodeAt(start - 1))
    if (bytes > maxBytes) break
    start--
  }
  return text.slice(isBoundary(text, start) ? start : start + 1)
}

/** A number as people read it: 1,234,567. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 more item`, `2 more items`. */
export const more = (count: number, one: string, many: string): string =>
  `${grouped(count)} more ${count === 1 ? one : many}`

const [LF, CR, LINE_SEPARATOR, PARAGRAPH_SEPARATOR] = [0x0a, 0x0d, 0x2028, 0x2029]

/** True if a line ends between two places of a text. */
export function hasLineBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF || unit === CR || unit === LINE_SEPARATOR || unit === PARAGRAPH_SEPARATOR) return true
  }
  return false
}

const WEIGHT = /^(?:C\[\d+,\d+,|[BD])(\d+)[,:]/

/** What a message's value weighs for whoever parses it, which the guest says in its first characters. */
export const weightOf = (head: string): number => Number(WEIGHT.exec(head)?.[1] ?? 0)

/** The bytes that lines and value grow by, at the least, by a message's beginning, its bytes and those of texts sent ahead. */
export function leastBytes(head: string, bytes: number, textBytes: number): number {
  switch (head[0]) {
    // A text has two quotes as JSON.
    case 'S':
      return bytes + 1
    case 'D':
      return bytes - 1 - head.indexOf(':')
    // Each text has null in its place.
    case 'B':
      return textBytes
    default:
      return 0
  }
}

/**
 * Control characters, what changes the direction of text, and what cannot be seen at all. The two joiners are left: scripts
 * and emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\u{e0100}-\u{e01ef}]|\u034f|(?![\u200c\u200d])\p{Cf}/gu

/** True if a reader could not see all of a text. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0

const unitOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** What a reader could not see is written out; line ends stay. */
export const writtenOut = (text: string): string =>
  text.replace(UNSEEN, unseen => (unseen === '\n' ? unseen : unseen.split('').map(unitOf).join('')))

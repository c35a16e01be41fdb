/**
 * Control characters, what changes the direction of text, and what cannot be seen at all. The two joiners are left: scripts
 * and emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\u{e0100}-\u{e01ef}]|\u034f|(?![\u200c\u200d])\p{Cf}/gu

/** True if a reader could not see all of a text, or a terminal would act on it. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0

/** The text with each such character put another way. */
export const replaceUnseen = (text: string, put: (unseen: string) => string): string =>
  text.replace(UNSEEN, unseen => put(unseen))

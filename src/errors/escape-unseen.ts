// What JSON leaves as it is and a reader cannot see, or sees elsewhere than it stands: DEL and C1, soft hyphen, zero-width
// and direction marks, line separators. The joiners of Persian, Indic and emoji words (U+200C, U+200D) stay.
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Writes out what could not be seen, or would change how the text around it is seen. */
export const escapeUnseen = (text: string): string => text.replace(UNSEEN, escapeUnit)

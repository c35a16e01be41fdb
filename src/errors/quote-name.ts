const SHOWN = 80

// What JSON leaves as it is and a reader cannot see, or sees elsewhere than it stands: DEL and C1, soft hyphen, zero-width
// and direction marks, line separators. The joiners of Persian, Indic and emoji words (U+200C, U+200D) stay.
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * A name in quotes, for messages. Names come from models and remote servers: what cannot be seen is escaped, and past 80
 * characters the name is cut and its length told.
 */
export function quoteName(name: string): string {
  const long = name.length > SHOWN
  const end = long && isHighSurrogate(name.charCodeAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN
  const shown = JSON.stringify(long ? `${name.slice(0, end)}…` : name).replace(UNSEEN, escapeUnit)
  return long ? `${shown} (${name.length} characters)` : shown
}

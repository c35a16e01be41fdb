/** Control characters, what changes the direction of text, and what cannot be seen at all. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
const MOST = 1_000

/** Somebody else's text as one line that does not steer the terminal; cut where it is longer than `most` characters. */
export function oneLine(text: string, most: number = MOST): string {
  const plain = text.slice(0, most + 1).replace(UNSEEN, ' ')
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`
}

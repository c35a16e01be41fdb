import { replaceUnseen } from './unseen.js'

const MOST = 1_000
const SPACE = /[\t-\r\u0085\u2028\u2029]/

/**
 * Somebody else's text as one line that does not steer the terminal; cut where it is longer than `most` characters. What
 * cannot be seen is shown as �.
 */
export function oneLine(text: string, most: number = MOST): string {
  const plain = replaceUnseen(text.slice(0, most + 1), unseen => (SPACE.test(unseen) ? ' ' : '�'))
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`
}

import { replaceUnseen } from './unseen.js'

const unitOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A value as readable JSON that does not steer the terminal: inside of texts such characters may be written by number. */
export const jsonText = (value: unknown): string =>
  replaceUnseen(JSON.stringify(value, undefined, 2), unseen =>
    unseen === '\n' ? unseen : unseen.split('').map(unitOf).join(''),
  )

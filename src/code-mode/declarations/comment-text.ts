import { cutText } from '../../errors/cut-text.js'
import { escapeUnseen } from '../../errors/escape-unseen.js'
import { wellFormed } from '../../errors/well-formed.js'

const MAX_VALUE = 80
// What may have to be replaced; most texts have nothing of it.
const RISKY = /[^ -~]| {2}|\*\/|@ts-/

/** Text that is safe inside a comment: one line, no end mark, no compiler directive. */
export function commentText(text: string): string {
  if (!RISKY.test(text)) return text.trim()
  return escapeUnseen(wellFormed(text).replace(/[\s\p{Cc}]+/gu, ' '))
    .replace(/\*\//g, '*\\/')
    .replace(/@+(?=ts-)/g, '')
    .trim()
}

/** A value as short JSON for a comment. */
export function commentValue(value: unknown): string {
  let text: string
  try {
    text = JSON.stringify(value) ?? typeof value
  } catch {
    text = '…'
  }
  return cutText(text, MAX_VALUE)
}

/** A documentation comment on its own line, with the line's end; nothing for no text. */
export function docComment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text} */\n` : ''
}

import { cutText } from './cut-text.js'

const UNPRINTABLE = 'an error that cannot be shown as text'
const MAX_CHARACTERS = 65_536

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  const { message } = thrown as { message?: unknown }
  if (typeof message !== 'string') return String(thrown)
  if (message !== '') return message
  const { name } = thrown as { name?: unknown }
  return typeof name === 'string' && name !== '' && name !== 'Error' ? `a ${name} without a text` : ''
}

/**
 * The text of anything thrown: an error's message, a `message` property, else `String(value)`. Past 64 Ki characters it is
 * cut, and says so. Total: never throws.
 */
export function describeError(thrown: unknown): string {
  try {
    const text = textOf(thrown) || 'an error without a text'
    if (text.length <= MAX_CHARACTERS) return text
    return `${cutText(text, MAX_CHARACTERS)} (cut: ${text.length} characters)`
  } catch {
    return UNPRINTABLE
  }
}

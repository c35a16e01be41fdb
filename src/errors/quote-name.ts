import { cutText } from './cut-text.js'
import { escapeUnseen } from './escape-unseen.js'

const SHOWN = 80
// Could be taken for the end of the name, or for words around it.
const AMBIGUOUS = /[\p{Cc}",]|^\s|\s$|^$/u

/** A whole name in quotes, for those who have to write it again: what cannot be seen is escaped, so the quoted text means the name. */
export const quoteWhole = (name: string): string => escapeUnseen(JSON.stringify(name))

/** A whole name in a list: bare where nothing in it needs quotes. */
export const listedName = (name: string): string =>
  AMBIGUOUS.test(name) || escapeUnseen(name) !== name ? quoteWhole(name) : name

/**
 * A name in quotes, for messages. Names come from models and remote servers: what cannot be seen is escaped, and past 80
 * characters the name is cut and its length told.
 */
export function quoteName(name: string): string {
  if (name.length <= SHOWN) return quoteWhole(name)
  return `${quoteWhole(cutText(name, SHOWN))} (${name.length} characters)`
}

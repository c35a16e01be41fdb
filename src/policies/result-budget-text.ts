import { JsonText } from './json-text.js'
import { JsonCutter } from './result-budget-json.js'
import { firstBytes, grouped, lastBytes, utf8Bytes } from './utf8.js'

const MARKER = 48
/** With less room than this a text has no end to show beside its beginning. */
const LEAST_SPLIT = 256

/** A text cut at the last line that ends in its last fifth, so that half a line is rarer than a whole one. */
function toLineEnd(text: string): string {
  const at = text.lastIndexOf('\n')
  return at >= text.length * 0.8 ? text.slice(0, at) : text
}

function fromLineStart(text: string): string {
  const at = text.indexOf('\n')
  return at >= 0 && at <= text.length * 0.2 ? text.slice(at + 1) : text
}

/** The beginning and the end of a plain text, and between them how many bytes are left out. */
function cutPlain(text: string, size: number, maxBytes: number): string {
  const room = maxBytes - MARKER
  const forEnd = maxBytes < LEAST_SPLIT ? 0 : Math.floor(room / 3)
  const head = toLineEnd(firstBytes(text, room - forEnd))
  const tail = forEnd === 0 ? '' : fromLineStart(lastBytes(text, forEnd))
  const left = size - utf8Bytes(head) - utf8Bytes(tail)
  const marked = `${head}\n… [${grouped(left)} bytes left out]`
  return tail === '' ? marked : `${marked} …\n${tail}`
}

/**
 * A text in at most so many bytes, at least 64: JSON stays JSON, of other text the beginning and the end are kept.
 * `maxStringBytes` bounds the strings of JSON in any case. Letter for letter the same where nothing is too large.
 */
export function cutText(text: string, maxBytes: number, maxStringBytes: number): string {
  const isShort = text.length * 3 <= Math.min(maxBytes, maxStringBytes)
  if (isShort) return text
  const size = utf8Bytes(text)
  if (size <= maxBytes && size <= maxStringBytes) return text
  const json = JsonText.read(text)
  if (json === undefined) return size <= maxBytes ? text : cutPlain(text, size, maxBytes)
  const cutter = new JsonCutter(json, maxStringBytes)
  const written = cutter.cut(maxBytes)
  return size <= maxBytes && !cutter.hasCut ? text : written
}

import type { JsonValue } from '../../json/json-value.js'

const MAX_TOLD_CHARS = 200

/** A keyword that cannot be sent, in words for the description; empty for one that is too long to be told. */
function told(keyword: string, value: JsonValue): string {
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    return ''
  }
  return text.length > MAX_TOLD_CHARS ? '' : `${keyword} ${text}`
}

/** A description with what the schema could not keep. */
export function withWords(
  description: JsonValue | undefined,
  lost: readonly (readonly [keyword: string, value: JsonValue])[],
): string | undefined {
  const words = lost.map(([keyword, value]) => told(keyword, value)).filter(text => text !== '')
  const first = typeof description === 'string' && description !== '' ? [description] : []
  if (words.length > 0) first.push(`(${words.join(', ')})`)
  return first.length > 0 ? first.join(' ') : undefined
}

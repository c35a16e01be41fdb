const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The beginning of a text, so many UTF-16 units of it at the most and none that is half of a pair: no provider reads those. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most)
}

/** The end of a text, in the same way. */
export function ending(text: string, most: number): string {
  if (text.length <= most) return text
  const from = text.length - most
  return text.slice(isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from)
}

/** A text, or its beginning with an ellipsis after it. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most)}…`

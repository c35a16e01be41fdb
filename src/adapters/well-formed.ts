const LONE_SURROGATES = /\p{Surrogate}/gu

type WellFormed = { isWellFormed?(): boolean }

/** Lone halves of surrogate pairs are told as what UTF-8 makes of them: no provider and no exporter takes them. */
export const wellFormed = (text: string): string =>
  (text as WellFormed).isWellFormed?.() === true ? text : text.replace(LONE_SURROGATES, '\ufffd')

/** The beginning of a text: at most so many UTF-16 units, none of them half of a pair that the text has whole. */
export function beginning(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, text.length > most && last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

const LONE_SURROGATES = /\p{Surrogate}/gu

type WellFormed = { isWellFormed?(): boolean }

/** Lone halves of surrogate pairs are told as what UTF-8 makes of them: no provider and no exporter takes them. */
export const wellFormed = (text: string): string =>
  (text as WellFormed).isWellFormed?.() === true ? text : text.replace(LONE_SURROGATES, '\ufffd')

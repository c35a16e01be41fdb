const CHARACTERS_PER_TOKEN = 4

/** About how many tokens a text costs: a token is some four characters of JSON or English. */
export const tokenEstimate = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

import { distance } from 'fastest-levenshtein'

const MOST_EDITS = 2

/** The known name that a misspelt one was meant for; `undefined` if none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase()
  const ranked = known
    .map(candidate => ({ candidate, edits: distance(given, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const [best] = ranked
  return best !== undefined && best.edits <= Math.min(MOST_EDITS, best.candidate.length - 2)
    ? best.candidate
    : undefined
}

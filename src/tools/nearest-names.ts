import { distance } from 'fastest-levenshtein'
import { quoteWhole } from '../errors/quote-name.js'
import { createNameIndex, type NameIndex, simplify } from './name-index.js'

/** Up to three known names that a misspelt name may have meant, best first. Case, dashes and dots do not count. */
export const nearestNames = (name: string, known: readonly string[]): string[] =>
  createNameIndex(known).nearest(name)

/** `Did you mean "a" or "b"?`, or nothing where no name is near. */
export function didYouMean(name: string, known: NameIndex): string {
  const near = known.nearest(name)
  return near.length === 0 ? '' : ` Did you mean ${near.map(quoteWhole).join(' or ')}?`
}

const letters = (word: string): string => [...word].sort().join('')

/** True if one word is the other with a slip or two of the fingers; in a short one, with a single slip. */
export function isMisspelling(given: string, meant: string): boolean {
  const [a, b] = [simplify(given.slice(0, 100)), simplify(meant)]
  const far = distance(a, b)
  if (far <= 1) return true
  return far === 2 && (b.length >= 8 || letters(a) === letters(b))
}

import { distance } from 'fastest-levenshtein'

const simplify = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Up to three known names that a misspelt name may have meant, best first. Case, dashes and dots do not count. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = simplify(name.slice(0, 200))
  const within = Math.max(2, Math.floor(wanted.length / 3))
  return known
    .map(candidate => {
      const simple = simplify(candidate)
      const contains =
        wanted.length >= 3 && (simple.includes(wanted) || (simple.length >= 3 && wanted.includes(simple)))
      // As far apart as their lengths are, at the least.
      const isNear = Math.abs(wanted.length - simple.length) <= within
      const far = isNear ? distance(wanted, simple) : Number.POSITIVE_INFINITY
      return { candidate, far: contains ? Math.min(1, within) : far }
    })
    .filter(({ far }) => far <= within)
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** `Did you mean "a" or "b"?`, or nothing where no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known)
  return near.length === 0 ? '' : ` Did you mean ${near.map(n => JSON.stringify(n)).join(' or ')}?`
}

const letters = (word: string): string => [...word].sort().join('')

/** True if one word is the other with a slip or two of the fingers; in a short one, with a single slip. */
export function isMisspelling(given: string, meant: string): boolean {
  const [a, b] = [simplify(given.slice(0, 100)), simplify(meant)]
  const far = distance(a, b)
  if (far <= 1) return true
  return far === 2 && (b.length >= 8 || letters(a) === letters(b))
}

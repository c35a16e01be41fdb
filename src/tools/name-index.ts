import { distance } from 'fastest-levenshtein'

/** Finds the names that a misspelt one may have meant. Made once for a list of names; asking is cheap. */
export interface NameIndex {
  /** The names, in the order they were given. */
  readonly names: readonly string[]
  /** Up to three known names that a misspelt name may have meant, best first. Case, dashes and dots do not count. */
  nearest(name: string): string[]
}

const IS_ASCII = /^[\0-\x7f]*$/

/** A name without what does not count. */
export function simplify(name: string): string {
  const lower = name.toLowerCase()
  return IS_ASCII.test(lower) ? lower.replace(/[^a-z0-9]+/g, '') : lower.replace(/[^\p{L}\p{N}]+/gu, '')
}

const MAX_NAME_UNITS = 200
const MAX_FOUND = 3
/** A name that is in another one, or has another one in it, is as near to it as with one slip. */
const CONTAINED = 1
const LEAST_CONTAINED = 3
/** Pairs of letters that are compared for one name, the likely names first: what is asked for comes from a model, at no cost to it. */
const MAX_CELLS = 200_000

interface Candidate {
  readonly simple: string
  /** The letters in it, and those in it more than once, each as a bit that others may share. */
  readonly once: number
  readonly twice: number
}

interface Found {
  readonly at: number
  readonly far: number
}

function candidateOf(simple: string): Candidate {
  let once = 0
  let twice = 0
  for (let i = 0; i < simple.length; i++) {
    const bit = 1 << (simple.charCodeAt(i) & 31)
    twice |= once & bit
    once |= bit
  }
  return { simple, once, twice }
}

function bits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Each letter that one has and the other has not takes an edit: they are as far apart as this, at the least. */
function leastDistance(a: Candidate, b: Candidate): number {
  const ofA = bits(a.once & ~b.once) + bits(a.twice & ~b.twice)
  const ofB = bits(b.once & ~a.once) + bits(b.twice & ~a.twice)
  return Math.max(ofA, ofB)
}

/** The place of the last of the sorted texts that is not after this one; -1 for none. */
function lastUpTo(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) <= text) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The best few, by how far they are and then by name. Candidates are known by their place among the sorted names. */
class Nearest {
  readonly #found: Found[] = []
  /** What is further away is not wanted. */
  within: number

  constructor(within: number) {
    this.within = within
  }

  offer(at: number, far: number): void {
    const found = this.#found
    if (far > this.within || found.some(other => other.at === at)) return
    const after = found.findIndex(other => far < other.far || (far === other.far && at < other.at))
    found.splice(after < 0 ? found.length : after, 0, { at, far })
    if (found.length > MAX_FOUND) found.pop()
    const last = found[MAX_FOUND - 1]
    if (last !== undefined) this.within = last.far
  }

  get places(): number[] {
    return this.#found.map(({ at }) => at)
  }
}

/** Finds names inside others, both ways, without looking at each. */
class Containment {
  readonly #joined: string
  readonly #starts: number[] = []
  /** Those long enough to be looked for in others, sorted. */
  readonly #sorted: string[]
  /** For each of those, the places of the names that read so. */
  readonly #places = new Map<string, number[]>()
  /** For each of those, which is the longest other one that it begins with; -1 for none. */
  readonly #beginsWith: number[] = []

  constructor(simples: readonly string[]) {
    let length = 0
    for (const [at, simple] of simples.entries()) {
      this.#starts.push(length)
      length += simple.length + 1
      if (simple.length < LEAST_CONTAINED) continue
      const same = this.#places.get(simple)
      if (same === undefined) this.#places.set(simple, [at])
      else same.push(at)
    }
    // No name that is looked for has a line feed.
    this.#joined = simples.join('\n')
    this.#sorted = [...this.#places.keys()].sort()
    const open: number[] = []
    for (const [i, text] of this.#sorted.entries()) {
      while (open.length > 0 && !text.startsWith(this.#sorted[open.at(-1) as number] as string)) open.pop()
      this.#beginsWith.push(open.at(-1) ?? -1)
      open.push(i)
    }
  }

  /** The first names that read the same. */
  same(wanted: string): readonly number[] {
    return (this.#places.get(wanted) ?? []).slice(0, MAX_FOUND)
  }

  /** The first names that have this one in them. */
  *around(wanted: string): Generator<number> {
    let from = 0
    for (let n = 0; n < MAX_FOUND; n++) {
      const position = this.#joined.indexOf(wanted, from)
      if (position < 0) return
      const at = this.#placeAt(position)
      yield at
      from = this.#starts[at + 1] ?? this.#joined.length
    }
  }

  /** The names that are in this one; of those that read the same, the first. */
  *within(wanted: string): Generator<number> {
    for (let from = 0; from + LEAST_CONTAINED <= wanted.length; from++) {
      const rest = wanted.slice(from)
      // Whatever the rest begins with, the last text before it begins with too.
      for (let i = lastUpTo(this.#sorted, rest); i >= 0; i = this.#beginsWith[i] as number) {
        const text = this.#sorted[i] as string
        if (rest.startsWith(text)) yield* this.same(text)
      }
    }
  }

  #placeAt(position: number): number {
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] as number) <= position) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

export function createNameIndex(names: readonly string[]): NameIndex {
  const sorted = [...names].sort()
  const candidates = sorted.map(name => candidateOf(simplify(name)))
  const containment = new Containment(candidates.map(({ simple }) => simple))
  const byLength = new Map<number, number[]>()
  for (const [at, { simple }] of candidates.entries()) {
    const same = byLength.get(simple.length)
    if (same === undefined) byLength.set(simple.length, [at])
    else same.push(at)
  }

  /** Names that may be near, by how far they are at the least: by their lengths and by their letters. */
  function* likely(wanted: Candidate, nearest: Nearest): Generator<readonly number[]> {
    const { length } = wanted.simple
    const { within } = nearest
    const byLeast: number[][] = Array.from({ length: within + 1 }, () => [])
    for (let other = Math.max(0, length - within); other <= length + within; other++)
      for (const at of byLength.get(other) ?? []) {
        const least = Math.max(Math.abs(other - length), leastDistance(wanted, candidates[at] as Candidate))
        byLeast[least]?.push(at)
      }
    for (let least = 0; least <= nearest.within; least++) yield byLeast[least] as number[]
  }

  function compare(wanted: Candidate, nearest: Nearest): void {
    let left = MAX_CELLS
    for (const places of likely(wanted, nearest))
      for (const at of places) {
        const { simple } = candidates[at] as Candidate
        left -= simple.length * wanted.simple.length
        if (left < 0) return
        nearest.offer(at, distance(wanted.simple, simple))
      }
  }

  return {
    names,
    nearest(name) {
      const wanted = candidateOf(simplify(name.slice(0, MAX_NAME_UNITS)))
      const { length } = wanted.simple
      const nearest = new Nearest(Math.max(2, Math.floor(length / 3)))
      if (length >= LEAST_CONTAINED) {
        for (const at of containment.same(wanted.simple)) nearest.offer(at, 0)
        for (const at of containment.around(wanted.simple)) nearest.offer(at, CONTAINED)
        for (const at of containment.within(wanted.simple)) nearest.offer(at, CONTAINED)
      }
      compare(wanted, nearest)
      return nearest.places.map(at => sorted[at] as string)
    },
  }
}

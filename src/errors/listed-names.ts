import { cutText } from './cut-text.js'
import { quoteName } from './quote-name.js'

const MAX_NAMES = 50
const MAX_NAME_UNITS = 200
const MORE = /^… and (\d+) more$/

/** The names of a list, and how many there are of them in all. */
export interface NameCount {
  readonly names: readonly string[]
  readonly count: number
}

/** No name is taken for the rest of a list. */
function shownName(name: string): string {
  const shown = cutText(name, MAX_NAME_UNITS)
  return MORE.test(shown) ? quoteName(shown) : shown
}

/**
 * Names of calls for the end of a run: the first fifty, and how many more there are. They are a program's own words where no
 * tool has them.
 */
export function listedNames(names: readonly string[], count: number = names.length): readonly string[] {
  const listed = names.slice(0, MAX_NAMES).map(shownName)
  return count > listed.length ? [...listed, `… and ${count - listed.length} more`] : listed
}

/** Reads what `listedNames` has written. */
export function readListed(listed: readonly string[]): NameCount {
  const more = MORE.exec(listed.at(-1) ?? '')
  if (more === null) return { names: listed, count: listed.length }
  const names = listed.slice(0, -1)
  return { names, count: names.length + Number(more[1]) }
}

/** One list of two that `listedNames` has written. */
export function joinListed(first: readonly string[], second: readonly string[]): readonly string[] {
  const [a, b] = [readListed(first), readListed(second)]
  return listedNames([...a.names, ...b.names], a.count + b.count)
}

/** The list that `listedNames` has written, without the first of its names. */
export function withoutFirst(listed: readonly string[]): readonly string[] {
  const { names, count } = readListed(listed)
  return listedNames(names.slice(1), count - 1)
}

import { cutText } from '../../../errors/cut-text.js'

type NumberedName = readonly [id: number, name: string]

/** Calls whose answers were never asked for: how many there are, and the first of them. */
export type NotAwaited = readonly [count: number, ...first: NumberedName[]]

const MAX_NAMES = 50
const MAX_NAME_UNITS = 200

/**
 * The names of calls that a program left behind, in the order it made them: those never asked for, and those that had not
 * been answered, whether or not somebody asked. Past fifty they are counted.
 */
export function namesOf([count, ...first]: NotAwaited, unanswered: readonly NumberedName[]): string[] {
  const known = new Set(first.map(([id]) => id))
  const last = count > first.length ? (first.at(-1)?.[0] ?? 0) : Number.POSITIVE_INFINITY
  // Beyond those that were told, one that was not answered may have been counted already.
  const added = unanswered.filter(([id]) => !known.has(id) && id <= last)
  const all = [...first, ...added].sort(([a], [b]) => a - b)
  const names = all.slice(0, MAX_NAMES).map(([, name]) => cutText(name, MAX_NAME_UNITS))
  const more = count + added.length - names.length
  return more > 0 ? [...names, `… and ${more} more`] : names
}

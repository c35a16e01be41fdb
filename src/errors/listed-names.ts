import { cutText } from './cut-text.js'

const MAX_NAMES = 50
const MAX_NAME_UNITS = 200

/**
 * Names of calls for the end of a run: the first fifty, and how many more there are. They are a program's own words where no
 * tool has them.
 */
export function listedNames(names: readonly string[], count: number = names.length): readonly string[] {
  const listed = names.slice(0, MAX_NAMES).map(name => cutText(name, MAX_NAME_UNITS))
  return count > listed.length ? [...listed, `… and ${count - listed.length} more`] : listed
}

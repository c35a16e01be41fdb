import { beginning, ending } from '../errors/cut-text.js'
import { joinPath } from '../json/json-path.js'

const HEAD = 20
const TAIL = 20
const PATH_CHARS = 200

/** Where a walk stands, linked to where it came from; becomes text only when there is something to say. */
export interface ValuePath {
  readonly parent: ValuePath | undefined
  readonly key: string | number
}

/** A place in a value as text; see `stepsText`. */
export function pathText(root: string, path: ValuePath | undefined): string {
  const steps: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.key)
  return stepsText(root, steps.reverse())
}

/**
 * A place in a value as text. Properties of the arguments stand bare (`servers[1].host`), as the model wrote them; all else
 * starts with the root's name. The middle of a very deep or long path is left out.
 */
export function stepsText(root: string, steps: readonly (string | number)[]): string {
  const shown = steps.length > HEAD + TAIL + 1 ? [...steps.slice(0, HEAD), '…', ...steps.slice(-TAIL)] : steps
  const path = bareArguments(shown.reduce<string>(joinPath, root))
  return path.length > PATH_CHARS
    ? `${beginning(path, PATH_CHARS / 2)}…${ending(path, PATH_CHARS / 2)}`
    : path
}

/** Takes the root's name from in front of an argument's path, or of a text that starts with one. */
export function bareArguments(text: string): string {
  return text.startsWith('arguments.') ? text.slice('arguments.'.length) : text
}

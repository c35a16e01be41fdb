import { cutText } from '../errors/cut-text.js'
import { quoteWhole } from '../errors/quote-name.js'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Extends a path by one step: `a.b`, `a[0]`, `a["b c"]`. Long keys are cut, as paths are for reading. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const shown = cutText(key, 60)
  return IDENTIFIER.test(shown) ? `${path}.${shown}` : `${path}[${quoteWhole(shown)}]`
}

import { refuseOption } from './checked-options.js'

/** Whether a name matches a pattern whose `*` stands for any text and all else for itself. Linear for each star. */
function matches(pattern: readonly string[], name: string): boolean {
  const [first = '', ...rest] = pattern
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name === first
  let from = first.length
  for (const part of rest) {
    const at = name.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}

function patterns(option: string, given: unknown): readonly (readonly string[])[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given) || !Array.from(given).every(name => typeof name === 'string' && name !== ''))
    return refuseOption(`${option} must be an array of names, in which * stands for any text`)
  return given.map((name: string) => name.split('*'))
}

/** Whether a name is that of a pattern, whose `*` stands for any text, also for none. */
export const namePattern = (pattern: string): ((name: string) => boolean) => {
  const parts = pattern.split('*')
  return name => matches(parts, name)
}

/**
 * Which tools a policy is about: those that `include` has, all by default, without those that `exclude` has. A `*` in a name
 * stands for any text, also for none; every other character for itself.
 */
export function nameFilter(policy: string, include: unknown, exclude: unknown): (name: string) => boolean {
  const wanted = patterns(`${policy}: include`, include)
  const unwanted = patterns(`${policy}: exclude`, exclude) ?? []
  return name =>
    (wanted === undefined || wanted.some(pattern => matches(pattern, name))) &&
    !unwanted.some(pattern => matches(pattern, name))
}

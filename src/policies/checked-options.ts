import { ToolgateError } from '../errors/toolgate-error.js'

/** Refuses a policy's options. */
export function refuseOption(message: string): never {
  throw new ToolgateError('INVALID_OPTIONS', message)
}

/** A policy's options as own fields, each read once; what is no object, or has a field that is not known, is refused. */
export function checkedOptions<K extends string>(
  policy: string,
  options: unknown,
  known: readonly K[],
): { readonly [key in K]?: unknown } {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return refuseOption(`${policy} takes an object of options: ${known.join(', ')}`)
  const fields: { [key in K]?: unknown } = {}
  for (const key of Reflect.ownKeys(options)) {
    if (!known.includes(key as K))
      return refuseOption(`${policy} has no option "${String(key)}"; it has ${known.join(', ')}`)
    fields[key as K] = (options as Record<string, unknown>)[key as string]
  }
  return fields
}

/** A whole number of at least `least`, or the default where none is given. */
export function wholeNumber(option: string, given: unknown, least: number, otherwise: number): number {
  const value = given === undefined ? otherwise : given
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  return refuseOption(`${option} must be a whole number of at least ${least}`)
}

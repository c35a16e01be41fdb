import { ToolgateError } from '../../index.js'

/** Throws `INVALID_OPTIONS`. */
export function refuseOption(message: string): never {
  throw new ToolgateError('INVALID_OPTIONS', message)
}

/** Refuses what is no object and options that nobody reads. @throws ToolgateError `INVALID_OPTIONS` */
export function requireOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) refuseOption(`${where} takes an object of options`)
  for (const [key, value] of Object.entries(options as object))
    if (value !== undefined && !known.includes(key))
      refuseOption(`${where} has no option "${key}"; it has ${known.join(', ')}`)
}

/** A positive number, `Infinity` included; `undefined` is left to the default. @throws ToolgateError `INVALID_OPTIONS` */
export function requirePositive(where: string, options: object, keys: readonly string[]): void {
  for (const key of keys) {
    const value = (options as { readonly [key: string]: unknown })[key]
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      refuseOption(`${key} of ${where} must be a positive number`)
  }
}

import { isMisspelling } from './nearest-names.js'

// A class has its methods on its prototype; what every object inherits is nobody's field.
function keysOf(given: object): string[] {
  const keys: string[] = []
  for (let at: object | null = given; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    keys.push(...Object.getOwnPropertyNames(at))
  return keys
}

/**
 * The sentence about a key that can only be a slip off a known one that is missing; `undefined` if there is none. Any other
 * key is the object's own affair.
 */
export function misspelt<K extends string>(
  given: object,
  fields: { readonly [F in K]?: unknown },
  known: readonly K[],
): string | undefined {
  const missing = known.filter(key => fields[key] === undefined)
  for (const key of keysOf(given)) {
    if ((known as readonly string[]).includes(key)) continue
    const meant = missing.find(field => isMisspelling(key, field))
    if (meant !== undefined) return `has no field "${key}"; did you mean "${meant}"?`
  }
  return undefined
}

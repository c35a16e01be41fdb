import { quoteName } from '../errors/quote-name.js'

/**
 * The own properties of an object that has no others than the allowed ones, each read once: an accessor cannot answer
 * twice, and nothing is inherited. Otherwise what is wrong with it. May throw what the value throws.
 */
export function ownFields(
  value: unknown,
  allowed: readonly string[],
): Readonly<Record<string, unknown>> | string {
  if (typeof value !== 'object' || value === null) return `is ${value === null ? 'null' : typeof value}`
  if (Array.isArray(value)) return 'is an array'
  const fields: Record<string, unknown> = Object.create(null)
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol' || !allowed.includes(key))
      return `has an unexpected field ${quoteName(String(key))}`
    fields[key] = (value as Record<string, unknown>)[key]
  }
  return fields
}

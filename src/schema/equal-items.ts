import type { JsonObject, JsonValue } from '../json/json-value.js'

// Two values are equal exactly if their texts are: keys are sorted, and 1 and "1" look different.
function textOf(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  const node = value as JsonObject
  const keys = Object.keys(node).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${textOf(node[key] as JsonValue)}`).join()}}`
}

/** True if an array holds two equal items. Linear in its size, whereas comparing each with each is not. */
export function hasEqualItems(items: readonly JsonValue[]): boolean {
  const seen = new Set<string>()
  for (const item of items) if (seen.size === seen.add(textOf(item)).size) return true
  return false
}

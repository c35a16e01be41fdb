import type { JsonObject, JsonValue } from '../json/json-value.js'

/** True for an object that is no array. */
export function isRecord(value: JsonValue | undefined): value is JsonObject
export function isRecord(value: unknown): value is { readonly [key: string]: unknown }
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

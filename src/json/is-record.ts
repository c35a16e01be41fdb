import type { JsonObject } from './json-value.js'

/** True for an object that is no array. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { ToolgateError } from '../errors/toolgate-error.js'

/** How large a JSON value may be. Beyond a limit a value is refused, never cut. */
export interface JsonLimits {
  /** Levels of nesting; a scalar has none. Default 10 000. */
  readonly maxDepth: number
  /** Values counted once for each place they stand in, so that a shared object counts every time. Default 2 000 000. */
  readonly maxNodes: number
  /** UTF-8 bytes of the value's JSON text. Default 16 MiB. */
  readonly maxBytes: number
}

export const DEFAULT_JSON_LIMITS: JsonLimits = {
  maxDepth: 10_000,
  maxNodes: 2_000_000,
  maxBytes: 16 * 1024 * 1024,
}

/** Limits with their defaults filled in. @throws ToolgateError `INVALID_OPTIONS` for one that is no positive number */
export function resolveLimits(given: Partial<JsonLimits> = {}): JsonLimits {
  const limits: { -readonly [K in keyof JsonLimits]: JsonLimits[K] } = { ...DEFAULT_JSON_LIMITS }
  for (const key of ['maxDepth', 'maxNodes', 'maxBytes'] as const) {
    const limit = given[key]
    if (limit === undefined) continue
    if (!(typeof limit === 'number' && limit > 0))
      throw new ToolgateError('INVALID_OPTIONS', `limits.${key} must be a positive number`)
    limits[key] = limit
  }
  return limits
}

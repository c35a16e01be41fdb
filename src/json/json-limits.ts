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

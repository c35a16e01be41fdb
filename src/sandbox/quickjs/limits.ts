import { ToolgateError } from '../../errors/toolgate-error.js'

/** What one run may cost. Every limit has a failure kind of its own. */
export interface QuickJsLimits {
  /** UTF-8 bytes of the program. Default 256 KiB; `source-limit`. */
  readonly sourceBytes: number
  /** Milliseconds of computing; waiting for calls does not count. Default 10 000; `timeout-cpu`. */
  readonly cpuMs: number
  /** Milliseconds from start to end, held while a human is asked. Default 120 000; `timeout-wall`. */
  readonly wallMs: number
  /** Bytes of memory for the program's values, on top of the engine's own 6 MiB. Default 64 MiB; `memory`. */
  readonly memoryBytes: number
  /** Bytes of the engine's stack, which bound recursion. Default 128 KiB, which is also the most; `stack`. */
  readonly stackBytes: number
  /** Calls that one program may make; one more rejects. Default 1 000; `call-limit` when the program does not catch it. */
  readonly maxCalls: number
  /** UTF-8 bytes of the JSON of lines and value together. Default 1 MiB; `output-limit`. */
  readonly outputBytes: number
  /** Milliseconds that calls under way get to end once the program has. Default 1 000; kept by the caller of the runtime. */
  readonly drainMs: number
}

const KIB = 1024
const MIB = 1024 * KIB
const MAX_TIMER_MS = 2 ** 31 - 1

/** Default, least and most of each limit. */
const BOUNDS: { readonly [K in keyof QuickJsLimits]: readonly [number, number, number] } = {
  sourceBytes: [256 * KIB, 1, 16 * MIB],
  cpuMs: [10_000, 1, MAX_TIMER_MS],
  wallMs: [120_000, 1, MAX_TIMER_MS],
  memoryBytes: [64 * MIB, 256 * KIB, 1024 * MIB],
  stackBytes: [128 * KIB, 32 * KIB, 128 * KIB],
  maxCalls: [1000, 0, Number.MAX_SAFE_INTEGER],
  outputBytes: [MIB, 4, 256 * MIB],
  drainMs: [1000, 0, MAX_TIMER_MS],
}

/** A text of anything, whatever it does when it is read. */
function shown(value: unknown): string {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') return typeof value
  return String(value)
}

/** Fills in defaults. Throws `INVALID_OPTIONS` for a limit that is unknown or out of bounds. */
export function resolveLimits(given: Partial<QuickJsLimits> = {}): QuickJsLimits {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ToolgateError('INVALID_OPTIONS', 'limits must be an object')
  const unknown = Object.keys(given).find(name => !Object.hasOwn(BOUNDS, name))
  if (unknown !== undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `limits.${unknown} is not a limit; there are ${Object.keys(BOUNDS).join(', ')}`,
    )
  const limits: Record<string, number> = {}
  for (const [name, [standard, least, most]] of Object.entries(BOUNDS)) {
    const { [name as keyof QuickJsLimits]: value = standard } = given
    if (!Number.isInteger(value) || value < least || value > most)
      throw new ToolgateError(
        'INVALID_OPTIONS',
        `limits.${name} must be a whole number from ${least} to ${most}, got ${shown(value)}`,
      )
    limits[name] = value
  }
  return limits as unknown as QuickJsLimits
}

import type { CodeRunOutcome, CodeRuntime } from '../sandbox/code-runtime.js'

const DEFAULT_DRAIN_MS = 1_000
/** Timers told to wait longer do not wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1

const CRASH: CodeRunOutcome = {
  logs: [],
  error: { kind: 'crash', message: 'The code runtime gave no usable answer; the program may have run.' },
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(text => typeof text === 'string')

/** What a runtime answered, if it is an outcome; a crash for anything else, in words that are no engine's. */
export function readOutcome(given: unknown): CodeRunOutcome {
  try {
    const { logs, error, value, notAwaited = [], notRun = [] } = given as CodeRunOutcome
    const isFailure = typeof error?.kind === 'string' && typeof error.message === 'string'
    if (!areTexts(logs) || (error !== undefined && !isFailure)) return CRASH
    if (!areTexts(notAwaited) || !areTexts(notRun)) return CRASH
    return {
      logs,
      ...(error !== undefined && { error: { kind: error.kind, message: error.message } }),
      ...(value !== undefined && { value }),
      notAwaited,
      notRun,
    }
  } catch {
    return CRASH
  }
}

/** How long a runtime lets calls end; the default where it does not say so in numbers. */
export function drainMsOf(runtime: CodeRuntime): number {
  try {
    const { drainMs } = runtime
    if (!(typeof drainMs === 'number' && drainMs >= 0)) return DEFAULT_DRAIN_MS
    return drainMs === Number.POSITIVE_INFINITY ? drainMs : Math.min(drainMs, MAX_TIMER_MS)
  } catch {
    return DEFAULT_DRAIN_MS
  }
}

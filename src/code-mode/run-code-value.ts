import type { JsonValue } from '../json/json-value.js'

/** The canonical value of `run_code`. */
export interface RunCodeValue {
  /** The lines printed, in order. */
  logs: string[]
  /** What the program returned; absent for `undefined`. */
  result?: JsonValue
  /** Calls whose answers were never asked for. */
  notAwaited?: string[]
  /** Calls that had not begun when the program ended, and so never ran. */
  notRun?: string[]
  /**
   * Calls that had begun, and whose answers the program did not get before it ended. Those under way were told to stop, and have;
   * what any did stays done.
   */
  cutOff?: string[]
  /** Calls that had not ended when the program had. */
  stillRunning?: string[]
}

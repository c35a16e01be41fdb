import { settledWithin } from '../pipeline/settled-within.js'
import type { CallScheduler } from '../schedule/call-scheduler.js'

/** What is left of an abort's grace after this part is for telling what the program printed and left behind. */
export const DRAIN_OF_GRACE = 0.75

/** Ends a drain early. */
export interface Hurry {
  /** Resolves once it is time. */
  readonly promise: Promise<void>
  /** The run was aborted, and its caller waits for its grace and no longer. */
  begin(): void
  end(): void
}

/** A hurry for a run that has so many milliseconds of grace after an abort. */
export function createHurry(graceMs: number): Hurry {
  let timer: ReturnType<typeof setTimeout> | undefined
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return {
    promise,
    begin() {
      if (graceMs !== Number.POSITIVE_INFINITY) timer = setTimeout(resolve, graceMs * DRAIN_OF_GRACE)
    },
    end: () => clearTimeout(timer),
  }
}

/** Drops the calls that have not begun and waits for the others to end, but not for ever; names those that have not. */
export async function drain(
  scheduler: CallScheduler,
  drainMs: number,
  hurry: Hurry,
): Promise<readonly string[]> {
  const abandoned = scheduler.abandon()
  if (scheduler.isIdle) return []
  await settledWithin(drainMs, Promise.race([abandoned, hurry.promise]))
  return scheduler.inFlight.map(call => call.name)
}

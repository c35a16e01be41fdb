import type { CallState } from './call-state.js'

/** How long stages and the tool's last word may take to unwind once the body's grace is over. */
export const UNWIND_MS = 250

/**
 * Waits for a part of a call; after an abort no longer than the grace allows, so that a stage that never answers cannot
 * hold its caller, its batch or a disposal. What it was doing goes on unheard.
 */
export function withinGrace<T>(
  { lifetime, host }: CallState,
  running: Promise<T>,
  abandoned: () => T,
  extraMs: number = UNWIND_MS,
): Promise<T> {
  const { abortGraceMs } = host
  if (abortGraceMs === Number.POSITIVE_INFINITY) return running
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const startGrace = (): void => {
      timer = setTimeout(
        () => {
          try {
            resolve(abandoned())
          } catch (error) {
            reject(error)
          }
        },
        lifetime.graceLeftMs(abortGraceMs + extraMs),
      )
    }
    const end = (): void => {
      if (timer !== undefined) clearTimeout(timer)
      lifetime.offAbort(startGrace)
    }
    lifetime.onAbort(startGrace)
    running.then(
      value => {
        end()
        resolve(value)
      },
      error => {
        end()
        reject(error)
      },
    )
  })
}

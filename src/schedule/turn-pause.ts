const TURN_MS = 20

/**
 * Asked before each piece of work; answers with a promise to wait for once the work since the event loop last turned has
 * taken so long that timers, signals and other people's work should be heard first.
 */
export function createTurnPause(): () => Promise<void> | undefined {
  let beganAt: number | undefined
  return () => {
    if (beganAt === undefined) {
      beganAt = performance.now()
      setTimeout(() => {
        beganAt = undefined
      }, 0)
      return undefined
    }
    if (performance.now() - beganAt <= TURN_MS) return undefined
    return new Promise(resolve => setTimeout(resolve, 0))
  }
}

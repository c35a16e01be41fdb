/** Resolves after so many milliseconds, or at once when the signal aborts. No timer and no listener stay. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** What a promise that never rejects resolves to, or `undefined` once so many milliseconds are over. */
export function atMost<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === Number.POSITIVE_INFINITY) return promise
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms, undefined)
    void promise.then(value => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

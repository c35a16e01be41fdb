/** Waits for a promise, but no longer than so many milliseconds; true if it has resolved. `Infinity` waits for ever. */
export async function settledWithin(ms: number, running: Promise<unknown>): Promise<boolean> {
  if (ms === Number.POSITIVE_INFINITY) return running.then(() => true)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([running.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

interface Host {
  readonly setImmediate?: (callback: () => void) => unknown
  readonly clearImmediate?: (handle: unknown) => void
}

// Taken when this is loaded: workers drop what no program's host needs. A timer is the slower way that exists everywhere.
const { setImmediate, clearImmediate } = globalThis as Host

/** Calls back once the host's own timers, messages and signals have been heard, unless what this returns is called before. */
export function inNextTurn(callback: () => void): () => void {
  if (setImmediate !== undefined && clearImmediate !== undefined) {
    const handle = setImmediate(callback)
    return () => clearImmediate(handle)
  }
  const timer = setTimeout(callback, 0)
  return () => clearTimeout(timer)
}

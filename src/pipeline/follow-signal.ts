// A caller's signal may be of another realm, a look-alike, or broken: nothing that it throws may take the call with it.

interface Followers {
  readonly listeners: Set<() => void>
  stop(): void
}

// One listener on a signal serves every call that follows it: a hundred calls at once on one signal are nothing unusual, and
// runtimes warn of a leak at the eleventh listener.
const followed = new WeakMap<AbortSignal, Followers>()

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function follow(signal: AbortSignal): Followers {
  const listeners = new Set<() => void>()
  const onAbort = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const stop = (): void => {
    attempt(() => signal.removeEventListener('abort', onAbort))
    followed.delete(signal)
  }
  attempt(() => signal.addEventListener('abort', onAbort))
  const followers = { listeners, stop }
  followed.set(signal, followers)
  return followers
}

/** Calls `listener` when a signal that is not aborted yet aborts. The returned function takes it off; twice does nothing. */
export function followSignal(signal: AbortSignal, listener: () => void): () => void {
  const followers = followed.get(signal) ?? follow(signal)
  followers.listeners.add(listener)
  return () => {
    if (followers.listeners.delete(listener) && followers.listeners.size === 0) followers.stop()
  }
}

/** Whether a signal has aborted; one that cannot say so any more has. */
export function isAborted(signal: { readonly aborted: boolean }): boolean {
  try {
    return signal.aborted === true
  } catch {
    return true
  }
}

const aborts = new WeakMap<AbortSignal, number>()

/** When a signal was first seen to have aborted: the moment from which all that follows it has its grace. */
export function abortTime(signal: AbortSignal): number {
  const known = aborts.get(signal)
  if (known !== undefined) return known
  const now = Date.now()
  aborts.set(signal, now)
  return now
}

/** Why a signal has aborted, as far as it says. */
export const abortReason = (signal: { readonly reason: unknown }): unknown => attempt(() => signal.reason)

interface Followers {
  readonly listeners: Set<() => void>
  stop(): void
}

// One listener on a signal serves every call that follows it: a hundred calls at once on one signal are nothing unusual, and
// runtimes warn of a leak at the eleventh listener.
const followed = new WeakMap<AbortSignal, Followers>()

function follow(signal: AbortSignal): Followers {
  const listeners = new Set<() => void>()
  const onAbort = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const stop = (): void => {
    signal.removeEventListener('abort', onAbort)
    followed.delete(signal)
  }
  signal.addEventListener('abort', onAbort)
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

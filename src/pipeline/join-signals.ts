import type { CallLifetime } from './call-lifetime.js'

/** The join of an around stage's signal and the call's own, made when it is first asked for. */
export interface JoinedSignal {
  signal(): AbortSignal
  /** Takes the listeners off again. */
  release(): void
}

/** Joins two sources of abort; the reason is that of whichever came first, the stage's if both have. */
export function joinSignals(replaced: AbortSignal, lifetime: CallLifetime): JoinedSignal {
  let controller: AbortController | undefined
  let release = (): void => {}
  const create = (): AbortController => {
    const made = new AbortController()
    const follow = (): void => made.abort(replaced.reason)
    if (replaced.aborted) follow()
    else replaced.addEventListener('abort', follow)
    const stop = lifetime.onAbort(() => made.abort(lifetime.reason))
    release = () => {
      replaced.removeEventListener('abort', follow)
      stop()
    }
    return made
  }
  return {
    signal: () => {
      controller ??= create()
      return controller.signal
    },
    release: () => release(),
  }
}

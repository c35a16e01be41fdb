/** What ends a gateway. */
export type ShutdownCause = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'stdin'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Resolves with the first thing that asks the process to end; a second signal ends it at once. With `stdin` its end counts
 * too: a client that goes away closes it.
 */
export function untilShutdown(stdin: boolean): Promise<ShutdownCause> {
  return new Promise(resolve => {
    let isEnding = false
    for (const signal of SIGNALS)
      process.on(signal, () => {
        if (isEnding) process.exit(1)
        isEnding = true
        resolve(signal)
      })
    if (!stdin) return
    const ended = (): void => resolve('stdin')
    process.stdin.on('end', ended)
    process.stdin.on('close', ended)
    // The reader of the answers has gone.
    process.stdout.on('error', ended)
  })
}

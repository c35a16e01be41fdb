import type { ServerEntry } from './gateway-config.js'
import { secretHider } from './server-secrets.js'

const LINES_AT_ONCE = 200
const LINES_PER_SECOND = 20

/** What a server's lines are written with. */
export interface ServerLogOptions {
  readonly log: (line: string) => void
  /** Milliseconds that go on; default the clock. */
  readonly now?: () => number
}

/**
 * Makes a log of one server: each line begins with its name and has none of its secrets. A server that says very much is
 * quoted in part, so that the others can be read.
 */
export function serverLog(
  entry: ServerEntry,
  { log, now = () => performance.now() }: ServerLogOptions,
): (line: string) => void {
  const hide = secretHider(entry)
  let room = LINES_AT_ONCE
  let since = now()
  let dropped = 0
  const write = (line: string): void => log(`[${entry.name}] ${line}`)
  return line => {
    const at = now()
    room = Math.min(LINES_AT_ONCE, room + ((at - since) / 1000) * LINES_PER_SECOND)
    since = at
    if (room < 1) {
      dropped += 1
      return
    }
    room -= 1
    if (dropped > 0) write(`(${dropped} more lines were left out)`)
    dropped = 0
    write(hide(line))
  }
}

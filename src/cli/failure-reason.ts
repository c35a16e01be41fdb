import type { ServerEntry } from './gateway-config.js'
import { oneLine } from './one-line.js'
import { secretHider } from './server-secrets.js'

const MOST_CHARS = 1_500

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What an error says, and what it says of its own cause: a `fetch` that failed says nothing else. */
function messageOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: unknown }
  const { message: deeper, code } = (cause ?? {}) as { message?: unknown; code?: unknown }
  const why = textOf(deeper) || textOf(code)
  const what = textOf(message) || String(error)
  return why === '' || what.includes(why) ? what : `${what}: ${why}`
}

/**
 * Why a server cannot be used, as one line. It goes to the model too, and quotes what the server printed: secrets are hidden
 * in it.
 */
export function failureReason(error: unknown, entry: ServerEntry): string {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return oneLine(secretHider(entry)(messageOf(cause ?? error)), MOST_CHARS)
}

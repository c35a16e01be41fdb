import { createRedactor } from 'toolgate'
import type { ServerEntry } from './gateway-config.js'
import { oneLine } from './one-line.js'

const SECRET_NAME = /key|token|secret|passw|auth|cookie/i
const LEAST_CHARS = 8
const MOST_CHARS = 1_500
/** More is not looked at. */
const MOST_READ = 100_000

/** What the configuration itself hands to a server as a secret. */
function secretsOf(entry: ServerEntry): string[] {
  const given = entry.kind === 'stdio' ? entry.env : entry.headers
  return Object.entries(given)
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
    .filter(value => value.length >= LEAST_CHARS)
}

/** A text of a server's, such as a line of its standard error, with nothing in it that is known or looks like a secret. */
export const withoutSecrets = (text: string, entry: ServerEntry): string =>
  createRedactor({ secrets: secretsOf(entry) }).text(text.slice(0, MOST_READ)).value

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
  return oneLine(withoutSecrets(messageOf(cause ?? error), entry), MOST_CHARS)
}

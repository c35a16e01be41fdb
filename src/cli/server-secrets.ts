import { createRedactor } from 'toolgate'
import type { ServerEntry } from './gateway-config.js'

const SECRET_NAME = /key|token|secret|pass|pwd|auth|cookie|credential|dsn/i
const SECRET_FLAG = /^--?[\w-]*(?:key|token|secret|passw|auth|credential)[\w-]*(?:=([\s\S]+))?$/i
const OPEN_HEADER = /^(?:accept.*|content-.*|user-agent|host|origin|cache-control)$/i
const LEAST_CHARS = 8
/** Words, a path, or an address with nothing in it that only some may know: hidden, they would make a log hard to read. */
const PLAIN =
  /^(?:[a-z][a-z ,._-]*|(?:~|\.{0,2})[\\/].*|[a-z]:[\\/].*|https?:\/\/[\w.-]+(?::\d+)?\/?[a-z/._-]*)$/i
/** A part of a path that is no word. */
const OPAQUE = /^(?=.*\d)[\w.~%-]{16,}$/
/** More is not looked at. */
const MOST_READ = 100_000

const parts = (value: string): string[] => [value, ...value.split(/\s+/)]

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What an address has that is nobody else's to read. */
function ofAddress(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password, searchParams, pathname } = new URL(text)
  return [
    decoded(password),
    ...searchParams.values(),
    ...pathname.split('/').filter(part => OPAQUE.test(part)),
  ]
}

function ofArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    const flag = SECRET_FLAG.exec(arg)
    if (flag !== null) return flag[1] ?? args[i + 1] ?? []
    return ofAddress(arg)
  })
}

/** What the configuration hands to a server and to nobody else. */
function secretsOf(entry: ServerEntry): string[] {
  const own =
    entry.kind === 'stdio'
      ? [
          ...Object.entries(entry.env)
            .filter(([name, value]) => SECRET_NAME.test(name) || !PLAIN.test(value))
            .flatMap(([, value]) => [...parts(value), ...ofAddress(value)]),
          ...ofArgs(entry.args),
        ]
      : [
          ...Object.entries(entry.headers)
            .filter(([name]) => !OPEN_HEADER.test(name))
            .flatMap(([, value]) => parts(value)),
          ...ofAddress(entry.url.href),
        ]
  return [...new Set(own)].filter(value => value.length >= LEAST_CHARS)
}

/**
 * Makes what takes secrets out of a server's texts, such as a line of its standard error: those that the configuration hands
 * to it, and what looks like one.
 */
export function secretHider(entry: ServerEntry): (text: string) => string {
  const redactor = createRedactor({ secrets: secretsOf(entry) })
  return text => redactor.text(text.slice(0, MOST_READ)).value
}

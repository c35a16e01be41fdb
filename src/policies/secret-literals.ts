import { ToolgateError } from '../errors/toolgate-error.js'
import { dropRejection } from './drop-rejection.js'
import type { SecretRange } from './secret-ranges.js'

const LEAST = 6
// Less of a secret than this is found by chance.
const LEAST_ENCODED = 10

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** What stands in base64 wherever the secret begins in what is encoded: only its middle is the same in all. */
function encodings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].map(before => {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const text = base64(padded)
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
}

function uri(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret
  }
}

/** How a secret may be written: itself, inside of JSON once and twice, in a URL, in base64. */
function writings(secret: string): string[] {
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1)
  const encoded = encodings(secret).filter(text => text.length >= LEAST_ENCODED)
  const all = [secret, inner(secret), inner(inner(secret)), uri(secret), ...encoded]
  return [...new Set([...all, ...encoded.map(text => text.replaceAll('+', '-').replaceAll('/', '_'))])]
}

/** Checks secrets that a program knows; what is wrong is said without them. */
export function checkedSecrets(given: unknown, code: string): readonly string[] {
  const isUsable =
    Array.isArray(given) &&
    Array.from(given).every(secret => typeof secret === 'string' && secret.length >= LEAST)
  if (isUsable) return given as readonly string[]
  dropRejection(given)
  throw new ToolgateError(code, `redact: secrets must be an array of texts of at least ${LEAST} characters`)
}

/** Makes a finder of known secrets, however they are written. The texts to look for are made once for the same secrets. */
export function literalFinder(secretsNow: () => readonly string[]): (text: string) => SecretRange[] {
  let key: readonly string[] = []
  let sought: readonly string[] = []
  return text => {
    const now = secretsNow()
    if (now.length !== key.length || now.some((secret, i) => secret !== key[i])) {
      key = [...now]
      sought = key.flatMap(writings)
    }
    return sought.flatMap(secret => {
      const found: SecretRange[] = []
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length))
        found.push({ start: at, end: at + secret.length, kind: 'secret' })
      return found
    })
  }
}

/** What a name says of its value: how a mask calls it, and whether a value is one that must not be shown. */
export interface SecretName {
  readonly kind: string
  hides(value: string): boolean
}

/** Reads a name; `undefined` if its value may be shown. */
export type ReadName = (name: string) => SecretName | undefined

const WORDS = new Set([
  ...['password', 'passwd', 'passphrase', 'passcode', 'pwd', 'secret', 'authorization', 'credentials'],
  ...['apikey', 'apisecret', 'secretkey', 'accesskey', 'privatekey', 'clientsecret'],
  ...['authtoken', 'accesstoken', 'refreshtoken'],
])
const PAIRS = new Set([
  ...['api key', 'access key', 'secret key', 'private key', 'signing key', 'encryption key', 'account key'],
  ...['auth key', 'master key', 'auth token', 'access token', 'refresh token', 'id token', 'session token'],
  ...['bearer token', 'api token', 'bot token', 'connection string', 'storage key'],
])
/** What masks call such values. */
export const NAME_KINDS: readonly string[] = [
  ...WORDS,
  ...[...PAIRS].map(pair => pair.replace(' ', '-')),
  'cookie',
  'token',
]
// Tokens that only say where a list goes on.
const PAGING = new Set(['next', 'page', 'sync', 'continuation', 'cursor', 'start', 'resume', 'end', 'stop'])
const MOST_OF_A_NAME = 64
const PLACEHOLDER =
  /^(?:[$<%*{].*|\[.*\]|x+|\.+|-+|null|none|nil|undefined|true|false|string|number|boolean|any)$/i

const isMixed = (value: string): boolean =>
  value.length >= 16 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value)

const hides = (words: readonly string[]) => (value: string) =>
  value !== '' && !(value.length < 256 && PLACEHOLDER.test(value)) && value.toLowerCase() !== words.at(-1)

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter(word => word !== '')

function readDefault(name: string): SecretName | undefined {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const pair = words.slice(-2).join(' ')
  if (WORDS.has(last)) return { kind: last, hides: hides(words) }
  if (PAIRS.has(pair)) return { kind: pair.replace(' ', '-'), hides: hides(words) }
  if (last === 'cookie') return { kind: last, hides: value => value.includes('=') }
  if (last !== 'token' || words.some(word => PAGING.has(word))) return undefined
  const isVariable = words.length > 1 && name === name.toUpperCase()
  return { kind: last, hides: isVariable ? hides(words) : isMixed }
}

/** Reads names of secrets: the usual ones unless `usual` is false, and others, in which case does not matter. */
export function nameReader(usual: boolean, others: readonly string[]): ReadName {
  const own = new Set(others.map(name => name.toLowerCase()))
  // The same few names stand in most values.
  const known = new Map<string, SecretName | undefined>()
  return name => {
    if (name.length > MOST_OF_A_NAME) return undefined
    if (known.has(name)) return known.get(name)
    if (known.size > 1_000) known.clear()
    const read = own.has(name.toLowerCase())
      ? { kind: 'secret', hides: (value: string) => value !== '' }
      : usual
        ? readDefault(name)
        : undefined
    known.set(name, read)
    return read
  }
}

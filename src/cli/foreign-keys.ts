import type { EntryReader } from './entry-reader.js'

const ASKING =
  'no call is asked for here unless "toolgate" says so: write "toolgate": {"ask": true}, or the names of tools to be asked for'
const SIGNING_IN = `nobody is signed in here: write "headers": {"Authorization": "Bearer \${TOKEN}"} and set that environment variable`
const SILENCE = 'programs do not agree on its unit: write "toolgate": {"timeoutMs": 60000}'

/** Keys that other programs read and this one does not, where nothing is loosened by that. */
const WARNED: { readonly [key: string]: string } = {
  autoApprove: ASKING,
  alwaysAllow: ASKING,
  trust: ASKING,
  timeout: SILENCE,
  tool_timeout_sec: SILENCE,
  auth: SIGNING_IN,
  oauth: SIGNING_IN,
  headersHelper: SIGNING_IN,
  authProviderType: SIGNING_IN,
  bearer_token_env_var: SIGNING_IN,
}

const SANDBOX =
  'the server would run without it: take it out, or put what confines the program before its "command"'

/** Keys that other programs read and this one does not, where the server would not be what it is meant to be. */
const REFUSED: { readonly [key: string]: string } = {
  envFile: 'it is not read: write its variables under "env"',
  sandbox: SANDBOX,
  sandboxEnabled: SANDBOX,
  environment: 'write "env"',
  working_directory: 'write "cwd"',
  tcp: 'only "command" and "url" are read',
}

/** Keys that other programs read and this one does not; each is told of. */
export const FOREIGN_KEYS: readonly string[] = [...Object.keys(WARNED), ...Object.keys(REFUSED)]

/** Says of each key of another program what becomes of it here, and what to write. */
export function tellForeignKeys(reader: EntryReader, given: { readonly [key: string]: unknown }): void {
  for (const [key, value] of Object.entries(given)) {
    const refused = Object.hasOwn(REFUSED, key) && value !== false ? REFUSED[key] : undefined
    if (refused !== undefined) reader.fault(`"${key}" is another program's; ${refused}`)
    const warned = Object.hasOwn(WARNED, key) ? WARNED[key] : undefined
    if (warned !== undefined) reader.warn(`"${key}" is not used; ${warned}`)
  }
}

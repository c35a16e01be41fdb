// Bundles the parser of programs: sucrase's, with what `type-mends.mjs`, `statement-mends.mjs` and `arrow-mends.mjs` write
// otherwise in it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ARROW_MENDS } from './arrow-mends.mjs'
import { editsOf } from './edit-text.mjs'
import { STATEMENT_MENDS } from './statement-mends.mjs'
import { TYPE_MENDS } from './type-mends.mjs'

const MENDS = [...TYPE_MENDS, ...STATEMENT_MENDS, ...ARROW_MENDS]

const PARSER = 'sucrase/dist/esm/parser'
const ENTRY = `
export { parse } from '${PARSER}/index.js'
export { IdentifierRole } from '${PARSER}/tokenizer/index.js'
export { ContextualKeyword } from '${PARSER}/tokenizer/keywords.js'
export { TokenType } from '${PARSER}/tokenizer/types.js'
export { state } from '${PARSER}/traverser/base.js'
`

const TYPES = `{
  /** Throws an error with the \`pos\` of what it does not take. */
  readonly parse: (
    text: string,
    jsx: boolean,
    typescript: boolean,
    flow: boolean,
  ) => { readonly tokens: readonly unknown[]; readonly scopes: readonly unknown[] }
  readonly IdentifierRole: { readonly [name: string]: number }
  readonly TokenType: { readonly [name: string]: number }
  readonly ContextualKeyword: { readonly [name: string]: number }
  /** Of the text read last; there is none before the first. */
  readonly state: { readonly error: Error | null } | undefined
}`

/** A file of the parser as it is carried. Each of its mends is noted. */
function mended(path, text, made) {
  const own = MENDS.filter(({ file }) => path.endsWith(`/parser/${file}`))
  for (const mend of own) made.add(mend)
  return own.reduce((now, mend) => editsOf(`sucrase's ${mend.file}`).replace(now, mend.was, mend.now), text)
}

const mending = made => ({
  name: 'mend',
  setup({ onLoad }) {
    onLoad({ filter: /\/sucrase\/dist\/esm\/parser\/.*\.js$/ }, ({ path }) => ({
      contents: mended(path.replaceAll('\\', '/'), readFileSync(path, 'utf8'), made),
    }))
  },
})

/** The module's text. */
export async function sourceParser() {
  const made = new Set()
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: join(dirname(fileURLToPath(import.meta.url)), '..') },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'made',
    minify: true,
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    plugins: [mending(made)],
  })
  for (const mend of MENDS) editsOf('sucrase').assert(made.has(mend), `no ${mend.file}`)
  return `// @ts-nocheck\n${outputFiles[0].text}export const SOURCE_PARSER: ${TYPES} = made\n`
}

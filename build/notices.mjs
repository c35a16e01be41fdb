// Writes the licences of what the build carries inside: the engine, what programs find in it, and the
// parser of programs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CARRIED = [
  '@jitl/quickjs-wasmfile-release-sync',
  'sucrase',
  // Of the command.
  '@modelcontextprotocol/sdk',
  '@hono/node-server',
  'ajv',
  'ajv-formats',
  'content-type',
  'cross-spawn',
  'eventsource',
  'eventsource-parser',
  'fast-deep-equal',
  'fast-uri',
  'fastest-levenshtein',
  'hono',
  'isexe',
  'json-schema-traverse',
  'jsonc-parser',
  'path-key',
  'pkce-challenge',
  'shebang-command',
  'shebang-regex',
  'which',
  'zod',
  'zod-to-json-schema',
]
const root = fileURLToPath(new URL('..', import.meta.url))
const inPrograms = JSON.parse(
  readFileSync(join(root, 'src/sandbox/quickjs/generated/polyfill-packages.json'), 'utf8'),
)

// Every package of a bundled chunk is named in the list.
for (const file of readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js')))
  for (const [, name] of readFileSync(join(root, 'dist', file), 'utf8').matchAll(
    /^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
  ))
    if (!CARRIED.includes(name))
      throw new Error(`dist/${file} carries ${name}, whose licence is not in build/notices.mjs`)

const LICENCES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']

function licenceOf(name) {
  const folder = join(root, 'node_modules', name)
  const file = LICENCES.find(candidate => existsSync(join(folder, candidate)))
  if (file === undefined) throw new Error(`${name} has no licence file`)
  return readFileSync(join(folder, file), 'utf8').trim()
}

const notices = [...CARRIED, ...inPrograms].map(name => {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  return `${name} ${version}\n\n${licenceOf(name)}\n`
})
writeFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))

// Writes the licences of what the build carries inside: the engine, and the type stripper with what it needs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CARRIED = [
  '@jitl/quickjs-wasmfile-release-sync',
  'sucrase',
  '@jridgewell/gen-mapping',
  '@jridgewell/sourcemap-codec',
  'lines-and-columns',
  'ts-interface-checker',
]
const root = fileURLToPath(new URL('..', import.meta.url))

// Every package of a bundled chunk is named in the list.
for (const file of readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js')))
  for (const [, name] of readFileSync(join(root, 'dist', file), 'utf8').matchAll(
    /^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
  ))
    if (!CARRIED.includes(name))
      throw new Error(`dist/${file} carries ${name}, whose licence is not in build/notices.mjs`)

const notices = CARRIED.map(name => {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
  const licence = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()
  return `${name} ${version}\n\n${licence}\n`
})
writeFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))

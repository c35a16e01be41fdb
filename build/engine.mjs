// Makes what `toolgate/quickjs` embeds: the engine as base64 in a module, the engine as a file, and the guest's prelude as
// text in a module. `node build/engine.mjs` does nothing when its inputs have not changed; `--copy <file>` also copies the
// engine there.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkEngine } from './check-engine.mjs'
import { addFuel } from './fuel.mjs'
import { guestPrelude } from './guest-prelude.mjs'

// A new build of the engine moves every export and must be looked at by a person.
const ENGINE_SHA256 = '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232'
const ENGINE = '@jitl/quickjs-wasmfile-release-sync/wasm'
const SCRIPTS = ['engine.mjs', 'fuel.mjs', 'check-engine.mjs', 'guest-prelude.mjs']
const NOTE = '// Written by build/engine.mjs; not in version control.\n'

const root = fileURLToPath(new URL('..', import.meta.url))
const generated = join(root, 'src/sandbox/quickjs/generated')
const files = {
  wasm: join(generated, 'quickjs.wasm'),
  wasmStamp: join(generated, 'quickjs.wasm.stamp'),
  binary: join(generated, 'engine-binary.ts'),
  prelude: join(generated, 'guest-prelude.ts'),
  stamp: join(generated, 'stamp.txt'),
}

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

// Whoever reads meanwhile, another build included, sees the old file or the new one.
function write(file, content) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}

/** The engine with fuel. Instrumenting takes seconds, so it is done again only when what it depends on has changed. */
function instrumented(input) {
  const key = sha256(
    input,
    ...['fuel.mjs', 'check-engine.mjs'].map(name => readFileSync(join(root, 'build', name))),
  )
  if (existsSync(files.wasm) && existsSync(files.wasmStamp)) {
    const [forKey, hash] = readFileSync(files.wasmStamp, 'utf8').split(' ')
    const kept = readFileSync(files.wasm)
    if (forKey === key && hash === sha256(kept)) return kept
  }
  const { output, interpreterIndex } = addFuel(input)
  checkEngine(output, interpreterIndex)
  write(files.wasm, output)
  write(files.wasmStamp, `${key} ${sha256(output)}`)
  return output
}

function make() {
  const input = readFileSync(createRequire(import.meta.url).resolve(ENGINE))
  const actual = sha256(input)
  if (actual !== ENGINE_SHA256)
    throw new Error(`${ENGINE} has sha256 ${actual}, expected ${ENGINE_SHA256}: look at the new build first`)
  const prelude = guestPrelude(join(root, 'src/sandbox/quickjs/guest'))
  const stamp = sha256(actual, prelude, ...SCRIPTS.map(name => readFileSync(join(root, 'build', name))))
  const present = Object.values(files).every(file => existsSync(file))
  if (present && readFileSync(files.stamp, 'utf8') === stamp) return
  mkdirSync(generated, { recursive: true })
  const engine = instrumented(input)
  write(
    files.binary,
    `${NOTE}/** The engine's binary. */\nexport const ENGINE_BASE64: string =\n  '${engine.toString('base64')}'\n`,
  )
  write(
    files.prelude,
    `${NOTE}/** What the guest evaluates before any program. */\nexport const GUEST_PRELUDE: string = ${JSON.stringify(prelude)}\n`,
  )
  write(files.stamp, stamp)
  console.log(`engine: ${input.length} bytes in, ${engine.length} bytes out, prelude ${prelude.length} bytes`)
}

make()
const copyAt = process.argv.indexOf('--copy')
if (copyAt > 0) {
  const target = process.argv[copyAt + 1]
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(files.wasm, target)
}

// Makes what `toolgate/quickjs` embeds: the engine as base64 in a module, the engine as a file, and the guest's prelude as
// text in a module, the parser of programs, and the script of the workers. `node build/engine.mjs` does nothing when its inputs have not changed;
// `--copy <folder>` also copies there what is exported as a file.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tsImport } from 'tsx/esm/api'
import { bakeImage } from './bake-image.mjs'
import { checkEngine } from './check-engine.mjs'
import { addFuel } from './fuel.mjs'
import { guestPrelude } from './guest-prelude.mjs'
import { polyfillInputs, polyfills } from './polyfills.mjs'
import { sourceParser } from './source-parser.mjs'
import { workerScript } from './worker-script.mjs'

// A new build of the engine moves every export and must be looked at by a person.
const ENGINE_SHA256 = '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232'
const ENGINE = '@jitl/quickjs-wasmfile-release-sync/wasm'
const FUEL_SCRIPTS = [
  'fuel.mjs',
  'check-sizes.mjs',
  'collect.mjs',
  'mend-engine.mjs',
  'weak-maps.mjs',
  'check-engine.mjs',
  'assemble.mjs',
  'edit-text.mjs',
]
const SCRIPTS = [
  ...FUEL_SCRIPTS,
  'engine.mjs',
  'bake-image.mjs',
  'guest-prelude.mjs',
  'polyfills.mjs',
  'patch-packages.mjs',
]
/** What the image is made by, beside the prelude. */
const HOST_SOURCES = [
  'engine/engine.ts',
  'engine/engine-exports.ts',
  'engine/engine-imports.ts',
  'run/guest.ts',
  'run/make-guest.ts',
]
const STACK_BYTES = 128 * 1024
const NOTE = '// Written by build/engine.mjs; not in version control.\n'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'src/sandbox/quickjs')
const generated = join(sources, 'generated')
const files = {
  wasm: join(generated, 'quickjs.wasm'),
  image: join(generated, 'guest-image.ts'),
  unbaked: join(generated, 'unbaked.wasm'),
  unbakedStamp: join(generated, 'unbaked.wasm.stamp'),
  binary: join(generated, 'engine-binary.ts'),
  prelude: join(generated, 'guest-prelude.ts'),
  polyfills: join(generated, 'polyfills.ts'),
  carried: join(generated, 'polyfill-packages.json'),
  stamp: join(generated, 'stamp.txt'),
}
const parserFile = join(generated, 'source-parser.ts')
const workerScriptFile = join(generated, 'worker-script.ts')

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
  const key = sha256(input, ...FUEL_SCRIPTS.map(name => readFileSync(join(root, 'build', name))))
  if (existsSync(files.unbaked) && existsSync(files.unbakedStamp)) {
    const [forKey, hash] = readFileSync(files.unbakedStamp, 'utf8').split(' ')
    const kept = readFileSync(files.unbaked)
    if (forKey === key && hash === sha256(kept)) return kept
  }
  const { output, interpreterIndex } = addFuel(input)
  checkEngine(output, interpreterIndex)
  write(files.unbaked, output)
  write(files.unbakedStamp, `${key} ${sha256(output)}`)
  return output
}

/** The engine with the state after the prelude as its data, and what the host must know of that state. */
async function baked(engine) {
  const importSource = name => tsImport(`../src/sandbox/quickjs/${name}`, import.meta.url)
  const { makeGuest } = await importSource('run/make-guest.ts')
  const { findExtents } = await importSource('engine/memory-image.ts')
  const { guest, state } = makeGuest(new WebAssembly.Module(engine), {
    memoryBytes: 0,
    stackBytes: STACK_BYTES,
  })
  const memory = new Uint8Array(guest.engine.memory.buffer)
  const id = createHash('sha256').update(engine).update(memory).digest().readInt32LE()
  return { binary: bakeImage(engine, memory, id), image: { id, state, extents: findExtents(memory.buffer) } }
}

const constant = (file, what, name, type, value) =>
  write(file, `${NOTE}/** ${what} */\nexport const ${name}: ${type} = ${JSON.stringify(value)}\n`)

async function makeEngine() {
  const input = readFileSync(createRequire(import.meta.url).resolve(ENGINE))
  const actual = sha256(input)
  if (actual !== ENGINE_SHA256)
    throw new Error(`${ENGINE} has sha256 ${actual}, expected ${ENGINE_SHA256}: look at the new build first`)
  const prelude = guestPrelude(join(root, 'src/sandbox/quickjs/guest'))
  const read = (folder, names) => names.map(name => readFileSync(join(folder, name)))
  const inputs = [
    ...read(join(root, 'build'), SCRIPTS),
    ...read(sources, HOST_SOURCES),
    ...polyfillInputs(root),
  ]
  const stamp = sha256(actual, prelude, ...inputs)
  const present = Object.values(files).every(file => existsSync(file))
  if (present && readFileSync(files.stamp, 'utf8') === stamp) return
  mkdirSync(generated, { recursive: true })
  constant(files.prelude, 'What the guest evaluates before any program.', 'GUEST_PRELUDE', 'string', prelude)
  const { binary, image } = await baked(instrumented(input))
  write(files.wasm, binary)
  constant(files.binary, "The engine's binary.", 'ENGINE_BASE64', 'string', binary.toString('base64'))
  const type = `{
  readonly id: number
  readonly state: import('../run/guest.js').GuestState
  readonly extents: readonly (readonly [number, number])[]
}`
  const { texts, packages } = await polyfills()
  const textsType = '{ readonly [part: string]: string }'
  constant(files.polyfills, 'What the guest evaluates when it is touched.', 'POLYFILLS', textsType, texts)
  write(files.carried, JSON.stringify(packages))
  constant(files.image, "The state that the engine's binary begins with.", 'GUEST_IMAGE', type, image)
  write(files.stamp, stamp)
  console.log(`engine: ${input.length} bytes in, ${binary.length} bytes out, prelude ${prelude.length} bytes`)
}

/** Bundled each time, as the workers' script is, which carries it. */
async function makeSourceParser() {
  const text = NOTE + (await sourceParser())
  if (!existsSync(parserFile) || readFileSync(parserFile, 'utf8') !== text) write(parserFile, text)
}

/** Bundled each time: that takes no longer than finding out whether one of its sources has changed. */
async function makeWorkerScript() {
  const script = await workerScript(sources)
  if (
    existsSync(workerScriptFile) &&
    readFileSync(workerScriptFile, 'utf8').endsWith(`${JSON.stringify(script)}\n`)
  )
    return script
  constant(workerScriptFile, 'What the workers run.', 'WORKER_SCRIPT', 'string', script)
  return script
}

await makeEngine()
await makeSourceParser()
const script = await makeWorkerScript()
const copyAt = process.argv.indexOf('--copy')
if (copyAt > 0) {
  const target = process.argv[copyAt + 1]
  mkdirSync(target, { recursive: true })
  copyFileSync(files.wasm, join(target, 'quickjs.wasm'))
  write(join(target, 'quickjs-worker-script.js'), script)
}

// Runs the packed package in every runtime it promises to support: node test/runtimes/run.mjs
// Needs `npm run build` and `npm ci` in this folder before.
import { spawn } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const runtimes = join(here, 'node_modules')
const STEP_MS = 180_000
const RUN_MS = 60_000
const running = new Set()

function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Resolves to what a command printed; rejects with it when the command fails or takes too long. */
function run(command, args, { cwd, timeoutMs = RUN_MS }) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, { cwd })
    let output = ''
    const timer = setTimeout(() => {
      output += `\nstopped after ${timeoutMs} ms`
      child.kill('SIGKILL')
    }, timeoutMs)
    child.stdout.on('data', data => (output += data))
    child.stderr.on('data', data => (output += data))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(`${command} ${args.join(' ')}: exit ${code ?? signal}\n${output.trim()}`))
    })
  })
}

/** A bundle's lines are long, and a stack shows them. */
const shown = text =>
  text
    .split('\n')
    .slice(0, 40)
    .map(line => `          ${line.slice(0, 200)}`)
    .join('\n')

async function runsOk(command, args, cwd) {
  const output = await run(command, args, { cwd })
  if (output.trim().split('\n').at(-1) !== 'ok') throw new Error(`expected "ok", got:\n${output.trim()}`)
}

/** A bare project that has installed the package as a user would. */
async function makeProject(folder) {
  const packed = join(folder, 'packed')
  const project = join(folder, 'project')
  await mkdir(packed)
  await mkdir(project)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], {
    cwd: root,
    timeoutMs: STEP_MS,
  })
  const [tarball] = await readdir(packed)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', join(packed, tarball)]
  await run('npm', install, { cwd: project, timeoutMs: STEP_MS })
  await cp(join(here, 'programs'), project, { recursive: true })
  return project
}

async function bundle(project, entry, outfile, options = {}) {
  const { build } = createRequire(join(here, 'package.json'))('esbuild')
  await build({
    absWorkingDir: project,
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    ...options,
  })
}

/** An empty directory that holds one bundled file and nothing else. */
async function runsBundled(project, folder) {
  const alone = join(folder, 'alone')
  await mkdir(alone)
  await bundle(project, 'main.mjs', join(alone, 'main.mjs'), { platform: 'neutral', mainFields: ['main'] })
  await runsOk(process.execPath, ['main.mjs'], alone)
}

/** The worker must import its WebAssembly as a module: that runtime compiles none itself. */
const wasmBesideWorker = project => ({
  name: 'wasm-beside-worker',
  setup(build) {
    build.onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'found') return undefined
      const found = await build.resolve(path, { resolveDir, kind, pluginData: 'found' })
      if (found.errors.length > 0) return found
      await cp(found.path, join(project, 'workerd', 'quickjs.wasm'))
      return { path: './quickjs.wasm', external: true }
    })
  },
})

async function listeningPort(child) {
  let events = ''
  let errors = ''
  child.stderr.on('data', data => (errors += data))
  const exited = new Promise((_resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => reject(new Error(`workerd ended with ${code}: ${errors.trim()}`)))
    setTimeout(() => reject(new Error(`workerd was not ready in time: ${errors.trim()}`)), RUN_MS).unref()
  })
  const ready = new Promise(resolve => {
    child.stdio[3].on('data', data => {
      events += data
      const listening = events.split('\n').find(line => line.includes('"event":"listen"'))
      if (listening !== undefined) resolve(JSON.parse(listening).port)
    })
  })
  return Promise.race([ready, exited])
}

async function runsInWorkerd(project) {
  const folder = join(project, 'workerd')
  await mkdir(folder)
  await bundle(project, 'worker.mjs', join(folder, 'worker.mjs'), {
    platform: 'neutral',
    mainFields: ['main'],
    conditions: ['workerd', 'import'],
    plugins: [wasmBesideWorker(project)],
  })
  await cp(join(project, 'workerd.capnp'), join(folder, 'workerd.capnp'))
  const child = start(join(runtimes, '.bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
  })
  try {
    const port = await listeningPort(child)
    for (const attempt of [1, 2]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(RUN_MS) })
      const text = await response.text()
      if (text !== 'ok') throw new Error(`request ${attempt}: ${response.status} ${text}`)
    }
  } finally {
    child.kill('SIGKILL')
  }
}

const bin = name => join(runtimes, name)

function checks(project, folder) {
  const main = ['main.mjs']
  const noEval = '--disallow-code-generation-from-strings'
  const noBuiltins = ['--import', './no-builtins.mjs', 'native-only.mjs']
  return [
    [`Node ${process.versions.node}`, () => runsOk(process.execPath, main, project)],
    ['Node 22', () => runsOk(bin('node22/bin/node'), main, project)],
    ['Node 24', () => runsOk(bin('node24/bin/node'), main, project)],
    ['Node without eval', () => runsOk(process.execPath, [noEval, ...main], project)],
    ['main entry, Node builtins blocked', () => runsOk(bin('node24/bin/node'), noBuiltins, project)],
    ['Deno, no permissions', () => runsOk(bin('.bin/deno'), ['run', '--no-prompt', ...main], project)],
    ['Bun', () => runsOk(bin('.bin/bun'), main, project)],
    ['workerd', () => runsInWorkerd(project)],
    ['one bundled file, alone in a directory', () => runsBundled(project, folder)],
  ]
}

async function mustExist(path, hint) {
  await access(path).catch(() => {
    throw new Error(`${path} is missing: ${hint}`)
  })
}

async function runAll(folder) {
  await mustExist(join(root, 'dist/index.js'), 'npm run build')
  await mustExist(runtimes, 'npm ci in test/runtimes')
  const project = await makeProject(folder)
  let failed = 0
  const all = checks(project, folder)
  for (const [name, check] of all) {
    const began = performance.now()
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
    try {
      await check()
      console.log(`ok      ${name} (${seconds()})`)
    } catch (error) {
      failed += 1
      console.log(`FAILED  ${name} (${seconds()})\n${shown(error.message)}`)
    }
  }
  console.log(`runtimes: ${all.length - failed} of ${all.length} ok`)
  return failed === 0
}

const folder = await mkdtemp(join(tmpdir(), 'toolgate-runtimes-'))
try {
  process.exitCode = (await runAll(folder)) ? 0 : 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
}

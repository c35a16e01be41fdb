// Runs the packed package in every runtime it promises to support: node test/runtimes/run.mjs [part of a check's name]
// Needs `npm run build` and `npm ci` in this folder before.
import { access, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageIsOk } from './chromium.mjs'
import { endAll, run, start } from './processes.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const runtimes = join(here, 'node_modules')
const STEP_MS = 180_000
const RUN_MS = 60_000
const CONFORM_MS = 300_000
/** A page that may load its own files and nothing else. */
const STRICT = { 'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" }

/** A bundle's lines are long, and a stack shows them. */
const shown = text =>
  text
    .split('\n')
    .slice(0, 40)
    .map(line => `          ${line.slice(0, 200)}`)
    .join('\n')

async function runsOk(command, args, cwd, timeoutMs = RUN_MS) {
  const output = await run(command, args, { cwd, timeoutMs })
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
  await cp(join(root, 'examples/worker.ts'), join(project, 'example-worker.ts'))
  await cp(join(root, 'examples/deno-script.ts'), join(project, 'example-deno.ts'))
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

/** Serves a folder with a `workerd.capnp` in it while `use` has its address. */
async function servedByWorkerd(folder, use) {
  const child = start(join(runtimes, '.bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
  })
  try {
    await use(`http://127.0.0.1:${await listeningPort(child)}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** The example of a Worker, bundled as a user would: its tools, then a completion with a call of one. */
async function exampleInWorkerd(project) {
  const folder = join(project, 'example-worker')
  await mkdir(folder)
  const forWorkers = { platform: 'neutral', mainFields: ['main'], conditions: ['workerd', 'import'] }
  await bundle(project, 'example-worker.ts', join(folder, 'worker.mjs'), forWorkers)
  await cp(join(project, 'example-worker.capnp'), join(folder, 'workerd.capnp'))
  await servedByWorkerd(folder, async address => {
    const { tools } = await (await fetch(address)).json()
    const call = {
      id: 'a',
      type: 'function',
      function: { name: tools[0].function.name, arguments: '{"text":"abc"}' },
    }
    const body = JSON.stringify({ choices: [{ message: { role: 'assistant', tool_calls: [call] } }] })
    const answer = await (await fetch(address, { method: 'POST', body })).text()
    if (!answer.includes('"tool_call_id":"a","content":"cba"'))
      throw new Error(`the worker answered ${answer}`)
  })
}

async function exampleInDeno(project) {
  const output = await run(bin('.bin/deno'), ['run', '--no-prompt', 'example-deno.ts'], {
    cwd: project,
    timeoutMs: RUN_MS,
  })
  if (!output.includes('"response":{"output":"20"}')) throw new Error(`the script printed ${output}`)
}

async function runsInWorkerd(project, paths) {
  const folder = join(project, 'workerd')
  await mkdir(folder, { recursive: true })
  await bundle(project, 'worker.mjs', join(folder, 'worker.mjs'), {
    platform: 'neutral',
    mainFields: ['main'],
    conditions: ['workerd', 'import'],
    plugins: [wasmBesideWorker(project)],
  })
  await cp(join(project, 'workerd.capnp'), join(folder, 'workerd.capnp'))
  await servedByWorkerd(folder, async address => {
    for (const path of paths) {
      const response = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(CONFORM_MS) })
      const text = await response.text()
      if (text !== 'ok') throw new Error(`${path}: ${response.status} ${text}`)
    }
  })
}

/** A page with everything in one file; where it may not make workers of text, its worker's script is a file beside it. */
async function runsInChromium(project, folder, isStrict) {
  const site = join(folder, isStrict ? 'strict-site' : 'site')
  await mkdir(site)
  await bundle(project, 'page.mjs', join(site, 'page.js'), { platform: 'browser' })
  await cp(join(root, 'dist/quickjs-worker-script.js'), join(site, 'worker.js'))
  const attribute = isStrict ? ' data-worker="worker.js"' : ''
  const page = `<!doctype html><html${attribute}><script type="module" src="page.js"></script></html>`
  await writeFile(join(site, 'index.html'), page)
  await pageIsOk(site, { headers: isStrict ? STRICT : {}, timeoutMs: CONFORM_MS })
}

const bin = name => join(runtimes, name)

/** The suite itself needs Node 22. */
const CONFORMANCE = [
  join(here, 'mcp/conformance.mjs'),
  bin('node22/bin/node'),
  bin('@modelcontextprotocol/conformance/dist/index.js'),
]

const HOSTS = [
  [`Node ${process.versions.node}`, process.execPath, []],
  ['Node 22', bin('node22/bin/node'), []],
  ['Node 24', bin('node24/bin/node'), []],
  ['Deno, no permissions', bin('.bin/deno'), ['run', '--no-prompt']],
  ['Bun', bin('.bin/bun'), []],
]

function checks(project, folder) {
  const noEval = '--disallow-code-generation-from-strings'
  const noBuiltins = ['--import', './no-builtins.mjs', 'native-only.mjs']
  const onHosts = (what, program, timeoutMs) =>
    HOSTS.map(([name, command, args]) => [
      `${name}${what}`,
      () => runsOk(command, [...args, program], project, timeoutMs),
    ])
  return [
    ...onHosts('', 'main.mjs', RUN_MS),
    ...onHosts(': ends with idle workers', 'undisposed.mjs', RUN_MS),
    ...HOSTS.slice(0, 3).map(([name, command, args]) => [
      `${name}: the command`,
      () => runsOk(command, [...args, 'command.mjs'], project),
    ]),
    ['MCP conformance of a registry and the gateway', () => runsOk(process.execPath, CONFORMANCE, root)],
    ['Node without eval', () => runsOk(process.execPath, [noEval, 'main.mjs'], project)],
    ['main entry, Node builtins blocked', () => runsOk(bin('node24/bin/node'), noBuiltins, project)],
    ['one bundled file, alone in a directory', () => runsBundled(project, folder)],
    ['workerd', () => runsInWorkerd(project, ['/', '/'])],
    ['the example of a worker, in workerd', () => exampleInWorkerd(project)],
    ['the example of a script, in Deno without permissions', () => exampleInDeno(project)],
    ['Chromium, strict content security policy', () => runsInChromium(project, folder, true)],
    ...onHosts(': both code runtimes conform', 'conform.mjs', CONFORM_MS),
    ['workerd: the code runtime conforms', () => runsInWorkerd(project, ['/measured'])],
    ['workerd: the code runtime conforms, work counted', () => runsInWorkerd(project, ['/counted'])],
    ['Chromium: both code runtimes conform', () => runsInChromium(project, folder, false)],
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
  const wanted = process.argv[2] ?? ''
  const all = checks(project, folder).filter(([name]) => name.includes(wanted))
  if (all.length === 0) throw new Error(`no check has "${wanted}" in its name`)
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
  endAll()
  await rm(folder, { recursive: true, force: true })
}

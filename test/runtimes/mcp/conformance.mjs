// Holds the registry and the gateway to the protocol's own conformance suite, which needs Node 22:
// node test/runtimes/mcp/conformance.mjs <node> <suite>. docs/decisions/mcp.md says why the others cannot pass.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../../..')
const [node, suite] = process.argv.slice(2)

const BOTH = ['server-initialize', 'ping', 'tools-list', 'server-sse-polling', 'server-sse-multiple-streams']
const EXPECTED = {
  'a registry': [
    ...BOTH,
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
  'the gateway': [...BOTH, 'dns-rebinding-protection'],
}

/** Starts a server and waits for the address that it prints. */
function start(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let output = ''
    const read = data => {
      output += data
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(output)?.[0]
      if (url !== undefined) resolve({ child, url })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', code => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
}

/** The scenarios that pass at an address. */
async function passing(url, folder) {
  const child = spawn(node, [suite, 'server', '--suite', 'all', '--url', url], { cwd: folder })
  let output = ''
  child.stdout.on('data', data => (output += data))
  child.stderr.on('data', data => (output += data))
  await new Promise(resolve => child.once('close', resolve))
  const passed = [...output.matchAll(/^✓ ([\w-]+): /gm)].map(([, name]) => name)
  if (!output.includes('=== SUMMARY ===')) throw new Error(output.slice(-2_000))
  return passed
}

const folder = await mkdtemp(join(tmpdir(), 'toolgate-conformance-'))
const config = join(folder, 'config.json')
const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
await writeFile(
  config,
  JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }),
)
const SERVERS = {
  'a registry': [join(here, 'conformance-server.mjs')],
  'the gateway': [join(root, 'dist/cli.js'), 'gateway', config, '--http', '0'],
}
try {
  for (const [name, args] of Object.entries(SERVERS)) {
    const { child, url } = await start(args)
    const passed = await passing(url, folder)
    child.kill('SIGTERM')
    const wanted = EXPECTED[name].toSorted().join(' ')
    const got = passed.toSorted().join(' ')
    if (got !== wanted) throw new Error(`${name} passes\n${got}\nand should pass\n${wanted}`)
  }
  console.log('ok')
} finally {
  await rm(folder, { recursive: true, force: true })
}

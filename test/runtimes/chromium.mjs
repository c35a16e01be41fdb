// Opens pages in a Chromium that is installed on this machine, and hears from them how they fared.
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { start } from './processes.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const HINT =
  'No Chromium was found. Install one (Debian: apt-get install chromium), or say in CHROMIUM where it is.'
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]
const TYPES = { html: 'text/html', js: 'text/javascript' }

async function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [
    ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
    ...NAMES.flatMap(name => folders.map(folder => join(folder, name))),
  ]
  for (const path of candidates) {
    const found = await access(path).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  throw new Error(HINT)
}

/** Serves a folder with these headers; `told` resolves to what the page posts. */
async function serve(folder, headers) {
  let tell = () => {}
  const told = new Promise(resolve => (tell = resolve))
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let text = ''
      for await (const part of request) text += part
      response.end()
      tell(text)
      return
    }
    const name = request.url === '/' ? 'index.html' : request.url.slice(1)
    const body = await readFile(join(folder, name)).catch(() => undefined)
    const type = TYPES[name.split('.').at(-1)] ?? 'text/plain'
    response.writeHead(body === undefined ? 404 : 200, { ...headers, 'content-type': type })
    response.end(body)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, told, url: `http://127.0.0.1:${server.address().port}/` }
}

/** Opens a folder's page and throws unless it posts "ok". */
export async function pageIsOk(folder, { headers = {}, timeoutMs }) {
  const chromium = await findChromium()
  const { server, told, url } = await serve(folder, headers)
  const profile = await mkdtemp(join(tmpdir(), 'toolgate-chromium-'))
  const child = start(chromium, [...FLAGS, `--user-data-dir=${profile}`, url])
  let errors = ''
  child.stderr.on('data', data => (errors += data))
  const ended = new Promise((_resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => reject(new Error(`Chromium ended with ${code}: ${errors.trim()}`)))
  })
  let timer
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the page said nothing in time: ${errors.trim()}`)), timeoutMs)
  })
  try {
    const text = await Promise.race([told, ended, late])
    if (text !== 'ok') throw new Error(text)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    server.close()
    server.closeAllConnections()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

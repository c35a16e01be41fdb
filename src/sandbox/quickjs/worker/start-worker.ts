import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { WorkerLike, WorkerSource } from './worker-like.js'

interface Threads {
  readonly Worker: new (url: URL, options: object) => WorkerLike
}

interface Scope {
  readonly process?: { getBuiltinModule?(name: string): unknown }
  readonly Worker?: new (url: string | URL, options: object) => WorkerLike
}

// Nothing of the host's goes along: not its environment, its arguments or its loaders.
const NODE_OPTIONS = { env: {}, argv: [], execArgv: [], name: 'toolgate' }
const WEB_OPTIONS = { type: 'module', name: 'toolgate' }

/** Not an import: bundles for browsers need know nothing of Node. */
const threads = (): Threads | undefined =>
  (globalThis as Scope).process?.getBuiltinModule?.('node:worker_threads') as Threads | undefined

let embedded: Promise<string> | undefined

/** The script inside the package, as a URL of its own text. Made once: workers that start later ask for it again. */
async function makeEmbedded(): Promise<string> {
  const { WORKER_SCRIPT } = await import('../generated/worker-script.js')
  if (threads() !== undefined)
    return `data:text/javascript;charset=utf-8,${encodeURIComponent(WORKER_SCRIPT)}`
  return URL.createObjectURL(new Blob([WORKER_SCRIPT], { type: 'text/javascript' }))
}

function embeddedUrl(): Promise<string> {
  embedded ??= makeEmbedded().catch(error => {
    embedded = undefined
    throw error
  })
  return embedded
}

function atUrl(url: string | URL): WorkerLike {
  const node = threads()
  if (node !== undefined) return new node.Worker(new URL(url), NODE_OPTIONS)
  const { Worker } = globalThis as Scope
  if (Worker !== undefined) return new Worker(url, WEB_OPTIONS)
  throw new ToolgateError('INVALID_OPTIONS', 'This runtime has no workers: use quickJsRuntime()')
}

/** Starts a worker from what the options say, else from the script inside the package. */
export async function startWorker(source: WorkerSource | undefined): Promise<WorkerLike> {
  if (typeof source !== 'function') return atUrl(source ?? (await embeddedUrl()))
  const worker = await source()
  const speaks = typeof worker?.on === 'function' || typeof worker?.addEventListener === 'function'
  if (speaks && typeof worker.postMessage === 'function' && typeof worker.terminate === 'function')
    return worker
  throw new ToolgateError('INVALID_OPTIONS', 'worker must return a worker: a Worker of Node or of the Web')
}

import type { CodeRuntime } from '../../code-runtime.js'
import { POLYFILLS } from '../generated/polyfills.js'
import { watchedQuickJsRuntime } from '../quick-js-runtime.js'
import { dropGlobals } from './drop-globals.js'
import type { FromWorker, ToWorker } from './messages.js'
import { ServedRun } from './served-run.js'

/** A worker's end of its line to the host, in whatever runtime. */
interface HostPort {
  post(message: FromWorker): void
  listen(receive: (message: ToWorker) => void): void
}

interface Threads {
  readonly parentPort: {
    postMessage(message: unknown): void
    on(event: 'message', listener: (message: ToWorker) => void): void
  } | null
}

interface WorkerScope {
  readonly process?: { getBuiltinModule?(name: string): unknown }
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: ToWorker }) => void): void
}

function openPort(): HostPort {
  const scope = globalThis as unknown as WorkerScope
  const threads = scope.process?.getBuiltinModule?.('node:worker_threads') as Threads | undefined
  const port = threads?.parentPort
  if (port)
    return {
      post: message => port.postMessage(message),
      listen: receive => void port.on('message', receive),
    }
  const { postMessage } = scope
  return {
    post: message => postMessage.call(scope, message),
    listen: receive => scope.addEventListener('message', ({ data }) => receive(data)),
  }
}

/**
 * The random numbers of one run: the host's first, with which the engine is seeded as it is without a worker, and after them
 * as many as are asked for, made of those.
 */
function randomOf(seeds: readonly number[]): () => number {
  let used = 0
  let state = seeds.reduce((sum, seed) => (Math.imul(sum, 31) + Math.floor(seed * 2 ** 32)) | 0, 1)
  return () => {
    const given = seeds[used++]
    if (given !== undefined) return given
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs programs for the host, one at a time, with the very runtime that serves without a worker. */
function serve(port: HostPort): void {
  let runtime: CodeRuntime | undefined
  let run: ServedRun | undefined
  let nextRandom = randomOf([])
  port.listen(message => {
    switch (message[0]) {
      case 'init': {
        const [, wasmModule, { limits, cpuClock, seeded, polyfills }] = message
        // The build left the list empty here.
        Object.assign(POLYFILLS, polyfills)
        const random = (): number => nextRandom()
        runtime = watchedQuickJsRuntime(
          { wasmModule, limits, cpuClock, ...(seeded && { random }) },
          { onLook: notBegun => run?.look(notBegun) },
        )
        port.post(['ready'])
        return
      }
      case 'ping':
        port.post(['pong'])
        return
      case 'run': {
        const [, id, program, namespaces, seeds] = message
        if (runtime === undefined) return
        nextRandom = randomOf(seeds)
        run = new ServedRun(id, port.post)
        void run.run(runtime, program, namespaces)
        return
      }
      default:
        if (run?.id !== message[1]) return
    }
    switch (message[0]) {
      case 'abort':
        run.abort(message[2])
        return
      case 'reply':
        run.reply(message[2], message[3])
        return
      case 'hold':
        run.hold(message[2], message[3], message[4])
        return
      case 'release':
        run.release(message[2])
        return
      default:
        message satisfies never
    }
  })
}

const port: HostPort = openPort()
dropGlobals(globalThis)
serve(port)

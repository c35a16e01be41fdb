import { describeError } from '../../../errors/describe-error.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import { Deadline } from '../run/deadline.js'
import { inNextTurn } from '../run/next-turn.js'
import { type FromWorker, readMessage, type ToWorker, type WorkerSettings } from './messages.js'
import { startWorker } from './start-worker.js'
import type { WorkerLike, WorkerSource } from './worker-like.js'

const START_MS = 30_000

/** Who a worker works for. */
export interface WorkerOwner {
  receive(message: FromWorker): void
  /** The worker has ended, or says what no worker of ours says. */
  died(): void
}

/** One worker: alive until it ends, fails or is ended. */
export class EngineWorker {
  readonly #worker: WorkerLike
  #owner: WorkerOwner | undefined
  #isAlive = true
  #fault: unknown
  #ended: Promise<void> | undefined

  private constructor(worker: WorkerLike) {
    this.#worker = worker
    if (typeof worker.on === 'function') {
      worker.on('message', message => this.#receive(message))
      worker.on('messageerror', error => this.#die(error))
      worker.on('error', error => this.#fail(error))
      worker.on('exit', code => this.#die(new Error(`it ended with ${code}`)))
      return
    }
    worker.addEventListener?.('message', ({ data }) => this.#receive(data))
    worker.addEventListener?.('messageerror', () => this.#die(new Error('a message could not be read')))
    worker.addEventListener?.('error', event => {
      // Else some runtimes report it once more, as the host's own error.
      event.preventDefault?.()
      this.#fail(event)
    })
  }

  /**
   * Resolves to a worker that is ready for its first run. After an abort it rejects, once what had been started has ended; a worker
   * that its source hands over even later is ended then.
   * @throws ToolgateError `INVALID_OPTIONS` if none starts
   */
  static async start(
    source: WorkerSource | undefined,
    module: WebAssembly.Module,
    settings: WorkerSettings,
    signal: AbortSignal,
  ): Promise<EngineWorker> {
    let deadline: Deadline | undefined
    let worker: EngineWorker | undefined
    let isOver = false
    let onAbort = (): void => {}
    try {
      return await new Promise<EngineWorker>((resolve, reject) => {
        signal.throwIfAborted()
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort)
        deadline = new Deadline(START_MS, () => reject(new Error(`it was not ready after ${START_MS} ms`)))
        startWorker(source).then(made => {
          const started = new EngineWorker(made)
          worker = started
          if (isOver) {
            void started.terminate()
            return
          }
          const receive = ([kind]: FromWorker): void => {
            if (kind !== 'ready') return
            started.#owner = undefined
            resolve(started)
          }
          started.#owner = { receive, died: () => reject(started.#fault) }
          started.post(['init', module, settings])
        }, reject)
      })
    } catch (error) {
      isOver = true
      const ended = worker?.terminate()
      if (signal.aborted) await ended
      if (error instanceof ToolgateError) throw error
      const message = `No worker could be started: ${describeError(error)}`
      throw new ToolgateError('INVALID_OPTIONS', message, { cause: error })
    } finally {
      deadline?.end()
      signal.removeEventListener('abort', onAbort)
    }
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Gives the worker to a run. The process stays up for it. */
  serve(owner: WorkerOwner): void {
    this.#owner = owner
    if (!this.#isAlive) owner.died()
    this.#tell(() => this.#worker.ref?.())
  }

  /** An idle worker keeps no process up. */
  rest(): void {
    this.#owner = undefined
    this.#tell(() => this.#worker.unref?.())
  }

  /** Says something to the worker; nothing to one that has ended. */
  post(message: ToWorker): void {
    this.#tell(() => this.#worker.postMessage(message))
  }

  // What a worker of the host's own throws ends it, wherever the word to it came from: a timer, a late answer.
  #tell(say: () => void): void {
    if (!this.#isAlive) return
    try {
      say()
    } catch (error) {
      this.#die(error)
    }
  }

  /** Ends the worker, whatever it does. Idempotent. */
  async terminate(): Promise<void> {
    this.#isAlive = false
    this.#ended ??= this.#endWorker()
    await this.#ended
  }

  // A worker of the host's own may throw, at once or later. It is no longer used either way.
  async #endWorker(): Promise<void> {
    try {
      await this.#worker.terminate()
    } catch {}
  }

  #receive(message: unknown): void {
    if (!this.#isAlive) return
    const known = readMessage(message)
    if (known === undefined) this.#die(new Error('it said something unknown'))
    else this.#owner?.receive(known)
  }

  /** What it had said before it failed is heard first: faults come on another way than messages. */
  #fail(fault: unknown): void {
    this.#fault ??= fault
    inNextTurn(() => this.#die(fault))
  }

  #die(fault: unknown): void {
    if (!this.#isAlive) return
    this.#fault ??= fault
    void this.terminate()
    this.#owner?.died()
  }
}

import type { EngineWorker } from './engine-worker.js'

/** Idle workers kept for the next runs. */
const MAX_IDLE = 4

/** Starts a worker; after an abort it settles once nothing is left of what it had begun. */
type Start = (signal: AbortSignal) => Promise<EngineWorker>

type Turn = (worker: EngineWorker | undefined) => void

/** The workers of a runtime, one run each at a time. They start when they are needed; past `max` runs wait, in order. */
export class WorkerPool {
  readonly #start: Start
  readonly #max: number
  readonly #all = new Set<EngineWorker>()
  /** Those that are not ready yet, and what ends each. */
  readonly #starting = new Map<Promise<EngineWorker>, AbortController>()
  /** Those that are no longer used and have not ended yet. */
  readonly #ending = new Set<Promise<void>>()
  readonly #idle: EngineWorker[] = []
  /** In order. Who has left the line is not in it. */
  readonly #turns = new Set<Turn>()
  #places = 0
  #closed = false

  constructor(max: number, start: Start) {
    this.#max = max
    this.#start = start
  }

  /** A worker that is alive. It must be given back. Who waits in line is told how to leave it: then this never settles. */
  async take(onWait: (leave: () => void) => void): Promise<EngineWorker> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isAlive) return idle
      this.#end(idle)
      this.#places -= 1
    }
    if (this.#places < this.#max) this.#places += 1
    else {
      const handed = await new Promise<EngineWorker | undefined>(turn => {
        this.#turns.add(turn)
        onWait(() => this.#turns.delete(turn))
      })
      if (handed !== undefined) return handed
    }
    return this.#make()
  }

  giveBack(worker: EngineWorker): void {
    const keep = worker.isAlive && !this.#closed && (this.#turns.size > 0 || this.#idle.length < MAX_IDLE)
    if (!keep) {
      this.#end(worker)
      this.#free()
      return
    }
    worker.rest()
    const turn = this.#nextTurn()
    if (turn === undefined) this.#idle.push(worker)
    else turn(worker)
  }

  /** Ends all workers, those that are starting and those that are ending too, and waits for that. */
  async close(): Promise<void> {
    this.#closed = true
    const starts = [...this.#starting]
    for (const [, controller] of starts) controller.abort(new Error('the runtime was disposed'))
    for (const worker of this.#all) this.#end(worker)
    await Promise.allSettled([...starts.map(([started]) => started), ...this.#ending])
  }

  async #make(): Promise<EngineWorker> {
    const controller = new AbortController()
    if (this.#closed) controller.abort(new Error('the runtime was disposed'))
    const started = this.#start(controller.signal)
    this.#starting.set(started, controller)
    try {
      const worker = await started
      this.#all.add(worker)
      if (this.#closed) this.#end(worker)
      return worker
    } catch (error) {
      this.#free()
      throw error
    } finally {
      this.#starting.delete(started)
    }
  }

  #nextTurn(): Turn | undefined {
    const [turn] = this.#turns
    if (turn !== undefined) this.#turns.delete(turn)
    return turn
  }

  #end(worker: EngineWorker): void {
    this.#all.delete(worker)
    const ended = worker.terminate()
    this.#ending.add(ended)
    void ended.then(() => this.#ending.delete(ended))
  }

  /** A place has become free: the next in line takes it, with a worker of its own. */
  #free(): void {
    const turn = this.#nextTurn()
    if (turn === undefined) this.#places -= 1
    else turn(undefined)
  }
}

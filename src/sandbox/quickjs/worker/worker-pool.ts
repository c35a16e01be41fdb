import type { EngineWorker } from './engine-worker.js'

/** Idle workers kept for the next runs. */
const MAX_IDLE = 4

type Turn = (worker: EngineWorker | undefined) => void

/** The workers of a runtime, one run each at a time. They start when they are needed; past `max` runs wait, in order. */
export class WorkerPool {
  readonly #start: () => Promise<EngineWorker>
  readonly #max: number
  readonly #all = new Set<EngineWorker>()
  readonly #idle: EngineWorker[] = []
  /** In order. Who has left the line is not in it. */
  readonly #turns = new Set<Turn>()
  #places = 0
  #closed = false

  constructor(max: number, start: () => Promise<EngineWorker>) {
    this.#max = max
    this.#start = start
  }

  /** A worker that is alive. It must be given back. Who waits in line is told how to leave it: then this never settles. */
  async take(onWait: (leave: () => void) => void): Promise<EngineWorker> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isAlive) return idle
      this.#forget(idle)
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
      void worker.terminate()
      this.#all.delete(worker)
      this.#free()
      return
    }
    worker.rest()
    const turn = this.#nextTurn()
    if (turn === undefined) this.#idle.push(worker)
    else turn(worker)
  }

  /** Ends all workers, and waits for that. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all].map(worker => worker.terminate()))
  }

  async #make(): Promise<EngineWorker> {
    try {
      const worker = await this.#start()
      this.#all.add(worker)
      if (this.#closed) void worker.terminate()
      return worker
    } catch (error) {
      this.#free()
      throw error
    }
  }

  #nextTurn(): Turn | undefined {
    const [turn] = this.#turns
    if (turn !== undefined) this.#turns.delete(turn)
    return turn
  }

  #forget(worker: EngineWorker): void {
    this.#all.delete(worker)
    this.#places -= 1
  }

  /** A place has become free: the next in line takes it, with a worker of its own. */
  #free(): void {
    const turn = this.#nextTurn()
    if (turn === undefined) this.#places -= 1
    else turn(undefined)
  }
}

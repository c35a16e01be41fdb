import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import type { CallLifetime } from './call-lifetime.js'

/** A call that runs now, as far as others may see it. */
export interface RunningCall {
  readonly call: ToolCall
  readonly lifetime: CallLifetime
}

/** The calls that run now: whose tokens may be parents, and whom a disposal must wait for. */
export class RunningCalls {
  readonly #calls = new Map<ToolExecutionToken, RunningCall>()
  readonly #waiters = new Set<() => void>()

  get size(): number {
    return this.#calls.size
  }

  add(running: RunningCall): void {
    this.#calls.set(running.call.token, running)
  }

  find(token: ToolExecutionToken): RunningCall | undefined {
    return this.#calls.get(token)
  }

  delete(running: RunningCall): void {
    this.#calls.delete(running.call.token)
    if (this.#waiters.size > 0) for (const waiter of [...this.#waiters]) waiter()
  }

  /** Aborts the calls that match and resolves when none of them runs any more. */
  async drain(matches: (running: RunningCall) => boolean, reason: unknown): Promise<void> {
    const left = new Set([...this.#calls.values()].filter(matches))
    for (const running of left) running.lifetime.abort(reason)
    await new Promise<void>(resolve => {
      const check = (): void => {
        for (const running of left) if (!this.#calls.has(running.call.token)) left.delete(running)
        if (left.size > 0) return
        this.#waiters.delete(check)
        resolve()
      }
      this.#waiters.add(check)
      check()
    })
  }
}

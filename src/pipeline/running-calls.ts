import type { ToolCall, ToolExecutionToken } from '../tools/tool-call.js'
import { type RunningCall, tie, tied } from './call-token.js'

/** The calls that run now: whose tokens may be parents, and whom a disposal must wait for. */
export class RunningCalls {
  readonly #calls: RunningCall[] = []
  readonly #waiters = new Set<() => void>()

  get size(): number {
    return this.#calls.length
  }

  add(running: RunningCall): void {
    running.slot = this.#calls.push(running) - 1
    tie(running.call.token, running)
  }

  find(token: ToolExecutionToken): RunningCall | undefined {
    const running = tied(token)
    return running !== undefined && this.#has(running) ? running : undefined
  }

  /** True for the call of a token and those under it, as long as what is between them runs. */
  isWithin(call: ToolCall, token: ToolExecutionToken): boolean {
    let at: ToolCall | undefined = call
    while (at !== undefined && at.token !== token && at.parent !== token)
      at = at.parent === undefined ? undefined : this.find(at.parent)?.call
    return at !== undefined
  }

  delete(running: RunningCall): void {
    if (!this.#has(running)) return
    const last = this.#calls.pop() as RunningCall
    if (last !== running) {
      this.#calls[running.slot] = last
      last.slot = running.slot
    }
    tie(running.call.token, undefined)
    if (this.#waiters.size > 0) for (const waiter of [...this.#waiters]) waiter()
  }

  /** Aborts the calls that match and resolves when none of them runs any more. */
  async drain(matches: (running: RunningCall) => boolean, reason: unknown): Promise<void> {
    const left = new Set(this.#calls.filter(matches))
    for (const running of left) running.lifetime.abort(reason)
    await new Promise<void>(resolve => {
      const check = (): void => {
        for (const running of left) if (!this.#has(running)) left.delete(running)
        if (left.size > 0) return
        this.#waiters.delete(check)
        resolve()
      }
      this.#waiters.add(check)
      check()
    })
  }

  #has(running: RunningCall): boolean {
    return this.#calls[running.slot] === running
  }
}

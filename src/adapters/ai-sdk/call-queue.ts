import type { ExecutionMode } from '../../schedule/execution-mode.js'
import type { ToolExecutionInput } from '../../tools/tool-call.js'
import type { ToolExecutionResult } from '../../tools/tool-result.js'

/** What runs calls and says which may overlap. */
export interface CallRunner {
  execute(input: ToolExecutionInput): Promise<ToolExecutionResult>
  executionMode(input: ToolExecutionInput): ExecutionMode
}

const NO_KEYS: readonly string[] = []

/** Waits, but not past an abort. */
async function orAborted(waited: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await waited
    return
  }
  if (signal.aborted) return
  let leave = (): void => {}
  const aborted = new Promise<void>(resolve => {
    leave = resolve
  })
  signal.addEventListener('abort', leave, { once: true })
  await Promise.race([waited, aborted])
  signal.removeEventListener('abort', leave)
}

/**
 * Runs calls that come one by one as a batch would: an exclusive one after all before it and before all after it, and those
 * that touch the same things one after the other.
 */
export class CallQueue {
  readonly #runner: CallRunner
  readonly #shared = new Map<Promise<unknown>, readonly string[]>()
  #exclusive: Promise<unknown> = Promise.resolve()

  constructor(runner: CallRunner) {
    this.#runner = runner
  }

  run(input: ToolExecutionInput): Promise<ToolExecutionResult> {
    const keys = this.#keys(input)
    const shared = [...this.#shared].filter(
      ([, held]) => keys === undefined || held.some(key => keys.includes(key)),
    )
    const before = Promise.all([this.#exclusive, ...shared.map(([call]) => call)])
    const result = orAborted(before, input.signal).then(() => this.#runner.execute(input))
    // One that was aborted ends at once; those behind it still wait for those before it.
    const turn = Promise.allSettled([before, result])
    if (keys === undefined) this.#exclusive = turn
    else {
      this.#shared.set(turn, keys)
      void turn.then(() => this.#shared.delete(turn))
    }
    return result
  }

  /** What a call touches that may overlap; undefined for an exclusive one. */
  #keys(input: ToolExecutionInput): readonly string[] | undefined {
    try {
      const mode = this.#runner.executionMode(input)
      return mode.kind === 'parallel' ? (mode.resourceKeys ?? NO_KEYS) : undefined
    } catch {
      // A scope that was disposed says nothing; its calls end at once.
      return NO_KEYS
    }
  }
}

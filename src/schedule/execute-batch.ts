import { ToolgateError } from '../errors/toolgate-error.js'
import { CallLifetime } from '../pipeline/call-lifetime.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallScheduler, SubmissionHooks } from './call-scheduler.js'

/** Options of a batch. */
export interface BatchOptions {
  /** Aborts the whole batch: what runs is waited for, what has not started gets `ABORTED_BEFORE_DISPATCH`. */
  readonly signal?: AbortSignal | undefined
  /** How many bodies may run at a time. Default the registry's `maxParallelCalls`. */
  readonly maxParallel?: number | undefined
}

type CreateScheduler = (
  signal: AbortSignal | undefined,
  isDuplicate: (id: string) => boolean,
) => CallScheduler

interface Batch {
  readonly results: readonly Promise<ToolExecutionResult | undefined>[]
  /** The result, or a throw of what broke the scheduler: nothing else leaves a call of a batch without one. */
  require(result: ToolExecutionResult | undefined): ToolExecutionResult
}

/** Submits every call of a batch, its holes too. */
function submitAll(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  signal: AbortSignal | undefined,
  hooksOf?: (at: number) => SubmissionHooks,
): Batch {
  const seen = new Set<string>()
  const scheduler = create(signal, id => seen.has(id) || !seen.add(id))
  return {
    results: Array.from(inputs, (input, at) => scheduler.submit(input, hooksOf?.(at))),
    require: result => {
      if (result === undefined) throw scheduler.failure?.error
      return result
    },
  }
}

/** Runs a batch; one result for each input, in order. */
export async function executeAll(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  { signal }: BatchOptions,
): Promise<ToolExecutionResult[]> {
  const batch = submitAll(create, inputs, signal)
  const results = await Promise.all(batch.results)
  return results.map(batch.require)
}

// A consumer that leaves at a result is heard of a few turns of the microtask queue later; more if others stand between.
const TURNS_TO_LEAVE = 24

type Results = AsyncGenerator<ToolExecutionResult, void, undefined>

/** Runs a batch and yields each result as it commits. A consumer that leaves aborts the rest and waits for what runs. */
export function executeEach(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  { signal }: BatchOptions,
): Results {
  const left = new AbortController()
  const results = yieldEach(create, inputs, signal, left)
  // A generator that waits for a body hears of neither before the body has ended.
  const { return: stop, throw: fail } = results
  const early: Pick<Results, 'return' | 'throw'> = {
    return: value => {
      leave(left)
      return stop.call(results, value)
    },
    throw: error => {
      leave(left)
      return fail.call(results, error)
    },
  }
  return Object.assign(results, early)
}

const leave = (left: AbortController): void =>
  left.abort(new ToolgateError('ABORTED', 'The consumer of the batch left'))

async function* yieldEach(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  signal: AbortSignal | undefined,
  left: AbortController,
): Results {
  const whole = new CallLifetime(signal)
  whole.onAbort(() => left.abort(whole.reason))
  let wanted = -1
  const letLeave = async (): Promise<void> => {
    const at = wanted
    for (let turn = 0; turn < TURNS_TO_LEAVE && wanted === at && !left.signal.aborted; turn++) await undefined
  }
  const batch = submitAll(create, inputs, left.signal, at => ({
    // Nothing starts while somebody who has just got a result may turn away from the rest.
    onEnd: () => (wanted === at ? letLeave() : undefined),
  }))
  try {
    for (const [at, result] of batch.results.entries()) {
      wanted = at
      yield batch.require(await result)
    }
  } finally {
    whole.end()
    leave(left)
    await Promise.all(batch.results)
  }
}

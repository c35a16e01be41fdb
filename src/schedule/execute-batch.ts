import { ToolgateError } from '../errors/toolgate-error.js'
import { CallLifetime } from '../pipeline/call-lifetime.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import type { CallScheduler } from './call-scheduler.js'

/** Options of a batch. */
export interface BatchOptions {
  /** Aborts the whole batch: what runs is waited for, what has not started gets `ABORTED_BEFORE_DISPATCH`. */
  readonly signal?: AbortSignal
  /** How many bodies may run at a time. Default the registry's `maxParallelCalls`. */
  readonly maxParallel?: number
}

type CreateScheduler = (
  signal: AbortSignal | undefined,
  isDuplicate: (id: string) => boolean,
) => CallScheduler

function submitAll(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  signal: AbortSignal | undefined,
): Promise<ToolExecutionResult>[] {
  if (!Array.isArray(inputs)) throw new ToolgateError('INVALID_OPTIONS', 'a batch must be an array of calls')
  const seen = new Set<string>()
  const scheduler = create(signal, id => seen.has(id) || !seen.add(id))
  // Nothing is abandoned here, so that every promise is a result.
  return Array.from(inputs, input => scheduler.submit(input) as Promise<ToolExecutionResult>)
}

/** Runs a batch; one result for each input, in order. */
export async function executeAll(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  { signal }: BatchOptions,
): Promise<ToolExecutionResult[]> {
  return Promise.all(submitAll(create, inputs, signal))
}

/** Runs a batch and yields each result as it commits. A consumer that leaves aborts the rest and waits for what runs. */
export async function* executeEach(
  create: CreateScheduler,
  inputs: readonly ToolExecutionInput[],
  { signal }: BatchOptions,
): AsyncGenerator<ToolExecutionResult, void, undefined> {
  const left = new AbortController()
  const whole = new CallLifetime(signal)
  whole.onAbort(() => left.abort(whole.reason))
  const results = submitAll(create, inputs, left.signal)
  try {
    for (const result of results) yield await result
  } finally {
    whole.end()
    left.abort(new ToolgateError('ABORTED', 'The consumer of the batch left'))
    await Promise.all(results)
  }
}

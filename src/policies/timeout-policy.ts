import { ToolTimeoutError } from '../errors/errors.js'
import type { AroundCall, Stages } from '../pipeline/stages.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'
import type { ToolCall } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { checkedOptions } from './checked-options.js'
import { codedFailure, quoted } from './coded-failure.js'
import { Deadline, type Overrun } from './deadline.js'
import { milliseconds } from './milliseconds.js'
import { atMost } from './pauses.js'

/** Options of `timeoutPolicy`. Milliseconds from 1 to 2^31-1, or `Infinity` for none. */
export interface TimeoutPolicyOptions {
  /** For tools that declare no `timeoutMs`. Without it they have no deadline. A program of `run_code` has limits of its own. */
  readonly defaultMs?: number | undefined
  /** How long a body that was told to stop is waited for; may be 0. Default 1 000. */
  readonly graceMs?: number | undefined
  /**
   * How long a tool with a deadline may report no progress. Each `progress()` begins this anew, and never moves the deadline.
   * Give `defaultMs: Infinity` beside it to limit silence alone, for all tools.
   */
  readonly idleMs?: number | undefined
}

const DEFAULT_GRACE_MS = 1_000
const ENDLESS = Number.POSITIVE_INFINITY

type Ending = { readonly result?: ToolExecutionResult }

const overrunText = (name: string, overrun: Overrun): string =>
  'idleMs' in overrun
    ? `Tool ${quoted(name)} reported no progress for ${overrun.idleMs} ms`
    : `Tool ${quoted(name)} did not end within ${overrun.timeoutMs} ms`

/** A stage further in may have given up on the body before: its failure then says so. */
function hasStopped({ result }: Ending): boolean {
  if (result === undefined) return false
  const details = result.isError ? result.error.details : undefined
  return (details as { bodyStopped?: unknown } | undefined)?.bodyStopped !== false
}

/** What became of the tool, and what would help. */
function fate({ result }: Ending, overrun: Overrun, bodyStopped: boolean): string {
  if (result?.isError === true && result.error.code === 'ABORTED_BEFORE_DISPATCH')
    return ': it did not run at all. Try again later'
  if (!bodyStopped)
    return '. It was told to stop and may still be running: see what it has done before calling it again'
  if ('idleMs' in overrun) return ' and was stopped. It may hang: try again, or another way'
  return ' and was stopped. Ask it for less at a time'
}

function timedOut(call: ToolCall, overrun: Overrun, ending: Ending = {}): ToolExecutionResult {
  const bodyStopped = hasStopped(ending)
  const message = overrunText(call.name, overrun) + fate(ending, overrun, bodyStopped)
  const error = {
    code: 'TOOL_TIMEOUT',
    name: 'ToolTimeoutError',
    message,
    details: { ...overrun, bodyStopped },
  }
  return codedFailure(call, error, ending.result?.additionalContexts)
}

async function runWithin(
  call: AroundCall,
  next: () => Promise<ToolExecutionResult>,
  totalMs: number,
  idleMs: number,
  graceMs: number,
): Promise<ToolExecutionResult> {
  const outer = call.signal
  const deadline = new Deadline(totalMs, idleMs, overrun => {
    return new ToolTimeoutError(overrunText(call.name, overrun), { details: overrun })
  })
  // Whoever aborts first has the word: after the caller, or a deadline further out, this one is not met any more.
  const yieldTo = (): void => deadline.stop()
  outer.addEventListener('abort', yieldTo)
  if (idleMs !== ENDLESS) call.onProgress(() => deadline.pulse())
  call.signal = deadline.signal
  try {
    const running = next()
    const ended = running.then(
      (result): Ending => ({ result }),
      (): Ending => ({}),
    )
    const overrun = await Promise.race([ended.then(() => undefined), deadline.overrun])
    if (overrun === undefined) return await running
    return timedOut(call, overrun, await atMost(ended, graceMs))
  } finally {
    outer.removeEventListener('abort', yieldTo)
    deadline.stop()
  }
}

/**
 * Enforces deadlines: those that tools declare with `timeoutMs`, and `defaultMs` for the others. Time counts from where the
 * stage stands: not while a call waits for its turn or an approval, and for each attempt where a retry stands around it.
 *
 * A tool that overruns is told to stop by its signal, whose reason is a `ToolTimeoutError`, and waited for as long as
 * `graceMs`. The call then ends with `TOOL_TIMEOUT` whatever the tool returned or threw; `details.bodyStopped` says whether
 * it has ended, and `late-settlement` tells when one that had not does. An abort that came first is no timeout.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function timeoutPolicy(options: TimeoutPolicyOptions = {}): Stages {
  const given = checkedOptions('timeoutPolicy', options, ['defaultMs', 'graceMs', 'idleMs'])
  const bounds = { least: 1, endless: true }
  const isForAll = given.defaultMs !== undefined
  const defaultMs = milliseconds('timeoutPolicy: defaultMs', given.defaultMs, ENDLESS, bounds)
  const idleMs = milliseconds('timeoutPolicy: idleMs', given.idleMs, ENDLESS, bounds)
  const graceMs = milliseconds('timeoutPolicy: graceMs', given.graceMs, DEFAULT_GRACE_MS, {
    least: 0,
    endless: true,
  })
  return {
    name: 'timeout',
    execute(call, next) {
      const own = call.tool?.timeoutMs
      const isCovered =
        own !== undefined || (isForAll && call.tool !== undefined && call.name !== RUN_CODE_NAME)
      const totalMs = own ?? defaultMs
      const isLimited = isCovered && (totalMs !== ENDLESS || idleMs !== ENDLESS)
      if (!isLimited || call.signal.aborted) return next()
      return runWithin(call, next, totalMs, idleMs, graceMs)
    },
  }
}

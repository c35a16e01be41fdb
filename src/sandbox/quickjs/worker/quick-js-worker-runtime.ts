import { describeError } from '../../../errors/describe-error.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { CodeFailureKind, CodeRunOutcome, CodeRunRequest, CodeRuntime } from '../../code-runtime.js'
import { checkSharedOptions, refuseOption } from '../check-options.js'
import { checkRequest } from '../check-request.js'
import { loadModule } from '../engine/load-module.js'
import { type QuickJsLimits, resolveLimits } from '../limits.js'
import { failureText, hostFaultText } from '../run/failure-text.js'
import { EngineWorker } from './engine-worker.js'
import type { WorkerSource } from './worker-like.js'
import { WorkerPool } from './worker-pool.js'
import { WorkerRun } from './worker-run.js'

/** Options of `quickJsWorkerRuntime`. */
export interface QuickJsWorkerOptions {
  readonly limits?: Partial<QuickJsLimits>
  /** Workers at once, one program each; programs past them wait, in order, with their clocks standing still. Default 16. */
  readonly maxWorkers?: number
  /** Where workers come from. Default the script inside the package, as a `data:` URL or, in browsers, a `blob:` URL. */
  readonly worker?: WorkerSource
  /** The engine, from `toolgate/quickjs.wasm`. Embedded without it. */
  readonly wasmModule?: WebAssembly.Module
  /** Seeds the programs' `Math.random` and `crypto`, from 0 up to 1; asked twice for each program. Default the worker's secure source. */
  readonly random?: () => number
  /** How `cpuMs` is measured, as for `quickJsRuntime`. Default `measured`. */
  readonly cpuClock?: 'measured' | 'counted'
}

const OPTION_KEYS = ['limits', 'maxWorkers', 'worker', 'wasmModule', 'random', 'cpuClock']
const DEFAULT_MAX_WORKERS = 16

function checkOptions(options: QuickJsWorkerOptions): void {
  checkSharedOptions('quickJsWorkerRuntime', OPTION_KEYS, options)
  const { maxWorkers, worker } = options
  if (maxWorkers !== undefined && !(Number.isSafeInteger(maxWorkers) && maxWorkers > 0))
    refuseOption('maxWorkers must be a whole number above 0')
  if (worker !== undefined && !['string', 'function'].includes(typeof worker) && !(worker instanceof URL))
    refuseOption('worker must be a URL or a function that starts a worker')
}

/** Settles when the signal aborts; `stop` takes the listener away. */
function whenAborted(signal: AbortSignal | undefined): {
  readonly aborted: Promise<undefined>
  stop(): void
} {
  let listener = (): void => {}
  const aborted = new Promise<undefined>(resolve => {
    listener = () => resolve(undefined)
    signal?.addEventListener('abort', listener)
  })
  return { aborted, stop: () => signal?.removeEventListener('abort', listener) }
}

/**
 * `quickJsRuntime` in workers, for hosts that cannot spare even `cpuMs` of their event loop: the same engine, programs, limits and
 * failures. The host only passes calls on. Workers are started by the first programs that need them and used again; one that
 * does not answer past a deadline, or has failed, is ended and replaced. Idle ones keep no process up. Programs have the
 * worker's clock.
 * @throws ToolgateError `INVALID_OPTIONS`; `run` rejects with it where no worker can be started
 */
export function quickJsWorkerRuntime(options: QuickJsWorkerOptions = {}): CodeRuntime {
  checkOptions(options)
  const limits = resolveLimits(options.limits)
  const { random, cpuClock = 'measured', maxWorkers = DEFAULT_MAX_WORKERS } = options
  const active = new Set<WorkerRun>()
  // One listener on one signal for each run that waits is a leak in the eyes of the platform.
  const waiting = new Set<() => void>()
  const pool = new WorkerPool(maxWorkers, async signal => {
    const [module, { POLYFILLS }] = await Promise.all([
      options.wasmModule ?? loadModule(),
      import('../generated/polyfills.js'),
    ])
    const settings = { limits, cpuClock, seeded: random !== undefined, polyfills: POLYFILLS }
    return EngineWorker.start(options.worker, module, settings, signal)
  })
  let runs = 0
  let disposed: Promise<void> | undefined

  const failed = (kind: CodeFailureKind, reason = ''): CodeRunOutcome => ({
    logs: [],
    error: { kind, message: `${failureText(kind, limits)}${reason}` },
  })

  /** A worker, or nothing if the run was aborted first. */
  async function takeWorker(signal: AbortSignal | undefined): Promise<EngineWorker | undefined> {
    let leave = (): void => {}
    const taken = pool.take(leaveLine => {
      leave = leaveLine
    })
    const caller = whenAborted(signal)
    let giveUp = (): void => {}
    const gone = new Promise<undefined>(resolve => {
      giveUp = () => resolve(undefined)
    })
    waiting.add(giveUp)
    try {
      const worker = await Promise.race([taken, caller.aborted, gone])
      if (worker === undefined) {
        leave()
        void taken.then(late => pool.giveBack(late)).catch(() => {})
      }
      return worker
    } finally {
      caller.stop()
      waiting.delete(giveUp)
    }
  }

  async function runIn(worker: EngineWorker, request: CodeRunRequest): Promise<CodeRunOutcome> {
    let seeds: readonly number[]
    try {
      // Numbers, as where the engine asks for them: not all that a host may give can be sent.
      seeds = random === undefined ? [] : [random() * 1, random() * 1]
    } catch (error) {
      return { logs: [], error: { kind: 'crash', message: hostFaultText('source of randomness', error) } }
    }
    runs += 1
    const run = new WorkerRun(runs, worker, request, { limits, cpuClock })
    active.add(run)
    try {
      run.start(seeds)
      return await run.outcome
    } finally {
      active.delete(run)
    }
  }

  return {
    drainMs: limits.drainMs,
    async run(request: CodeRunRequest) {
      if (disposed !== undefined) throw new ToolgateError('DISPOSED', 'The runtime was disposed')
      checkRequest(request)
      const { program, signal } = request
      const aborted = (): CodeRunOutcome => failed('abort', ` ${describeError(signal?.reason)}`)
      if (signal?.aborted) return aborted()
      // The worker counts bytes; what has more characters than that is not even sent.
      if (program.length > limits.sourceBytes) return failed('source-limit')
      const worker = await takeWorker(signal)
      if (worker === undefined)
        return signal?.aborted ? aborted() : failed('abort', ' The runtime was disposed')
      try {
        if (signal?.aborted) return aborted()
        if (disposed !== undefined) return failed('abort', ' The runtime was disposed')
        return await runIn(worker, request)
      } finally {
        pool.giveBack(worker)
      }
    },
    dispose() {
      disposed ??= (async () => {
        for (const giveUp of waiting) giveUp()
        for (const run of active) run.stop('The runtime was disposed')
        await Promise.all([...active].map(run => run.outcome.catch(() => {})))
        await pool.close()
      })()
      return disposed
    },
  }
}

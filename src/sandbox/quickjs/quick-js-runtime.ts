import { describeError } from '../../errors/describe-error.js'
import { ToolgateError } from '../../errors/toolgate-error.js'
import type { CodeFailureKind, CodeRunOutcome, CodeRunRequest, CodeRuntime } from '../code-runtime.js'
import { checkSharedOptions, refuseOption } from './check-options.js'
import { checkRequest } from './check-request.js'
import { loadModule } from './engine/load-module.js'
import { type QuickJsLimits, resolveLimits } from './limits.js'
import { loadTypeStripper } from './program/load-type-stripper.js'
import { prepareProgram } from './program/prepare-program.js'
import { failureText, hostFaultText } from './run/failure-text.js'
import { GuestPool } from './run/guest-pool.js'
import { loadPolyfills } from './run/load-polyfills.js'
import { ProgramRun } from './run/program-run.js'
import type { RunSettings } from './run/run-settings.js'
import { setUpText } from './run/set-up-text.js'

/** Options of `quickJsRuntime`. */
export interface QuickJsOptions {
  readonly limits?: Partial<QuickJsLimits>
  /** The engine, from `toolgate/quickjs.wasm`, for runtimes that compile no WebAssembly from bytes. Embedded without it. */
  readonly wasmModule?: WebAssembly.Module
  /** The programs' clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
  /** Seeds the programs' `Math.random` and makes the bytes of their `crypto`, from 0 up to 1. Default the host's secure source. */
  readonly random?: () => number
  /**
   * How `cpuMs` is measured. `counted` estimates it from the work done, for runtimes whose clock stands still while a program
   * computes; it is a guard against endless programs, from a tenth to several times the time said. Default `measured`.
   */
  readonly cpuClock?: 'measured' | 'counted'
}

const encoder = new TextEncoder()

const OPTION_KEYS = ['limits', 'wasmModule', 'now', 'random', 'cpuClock']

function checkOptions(options: QuickJsOptions): void {
  checkSharedOptions('quickJsRuntime', OPTION_KEYS, options)
  const { now } = options
  if (now !== undefined && typeof now !== 'function') refuseOption('now must be a function')
}

const SEEDS_AT_ONCE = 64

/** Words for the programs' `Math.random`. The secure source is slow to ask and asked for many at once. */
function seedWords(random: (() => number) | undefined): () => number {
  if (random !== undefined) return () => Math.floor(random() * 2 ** 32) >>> 0
  let words = new Uint32Array(0)
  let used = 0
  return () => {
    if (used === words.length) {
      words = crypto.getRandomValues(new Uint32Array(SEEDS_AT_ONCE))
      used = 0
    }
    return words[used++] as number
  }
}

/** Random bytes as text for the programs' `crypto`. */
function randomHex(random: (() => number) | undefined): (bytes: number) => string {
  return count => {
    const bytes = new Uint8Array(count)
    if (random === undefined) crypto.getRandomValues(bytes)
    else for (let i = 0; i < count; i++) bytes[i] = Math.floor(random() * 256)
    return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  }
}

/**
 * A `CodeRuntime` on QuickJS, compiled to WebAssembly. Every run starts from a fresh state, may cost its limits and nothing
 * else, and leaves the host unharmed. Nothing is loaded before the first run.
 */
export const quickJsRuntime = (options: QuickJsOptions = {}): CodeRuntime => watchedQuickJsRuntime(options)

/** The same for a host that wants to know more of its programs than they tell when they end. */
export function watchedQuickJsRuntime(
  options: QuickJsOptions,
  watch: Pick<RunSettings, 'onLook'> = {},
): CodeRuntime {
  checkOptions(options)
  const limits = resolveLimits(options.limits)
  const nextSeed = seedWords(options.random)
  const settings = {
    limits,
    now: options.now ?? Date.now,
    countCpu: options.cpuClock === 'counted',
    randomHex: randomHex(options.random),
    ...watch,
  }
  const active = new Set<ProgramRun>()
  let pool: GuestPool | undefined
  let disposed = false

  const failed = (kind: CodeFailureKind, message: string = failureText(kind, limits)): CodeRunOutcome => ({
    logs: [],
    error: { kind, message },
  })
  const aborted = ({ reason }: AbortSignal): CodeRunOutcome =>
    failed('abort', `${failureText('abort', limits)} ${describeError(reason)}`)

  return {
    drainMs: limits.drainMs,
    async run(request: CodeRunRequest) {
      if (disposed) throw new ToolgateError('DISPOSED', 'The runtime was disposed')
      checkRequest(request)
      if (request.signal?.aborted) return aborted(request.signal)
      if (encoder.encode(request.program).length > limits.sourceBytes) return failed('source-limit')
      const [stripper, module, polyfills] = await Promise.all([
        loadTypeStripper(),
        options.wasmModule ?? loadModule(),
        loadPolyfills(),
      ])
      const preparation = prepareProgram(request.program, stripper)
      if (!preparation.ok) return failed(preparation.kind, preparation.message)
      if (request.signal?.aborted) return aborted(request.signal)
      if (disposed) return failed('abort', `${failureText('abort', limits)} The runtime was disposed`)
      let seed: readonly [number, number]
      try {
        seed = [nextSeed(), nextSeed()]
      } catch (error) {
        return failed('crash', hostFaultText('source of randomness', error))
      }
      pool ??= new GuestPool(module, limits)
      const setUp = setUpText(request.namespaces, limits.outputBytes)
      const guest = pool.take(setUp)
      guest.seed(...seed)
      const run = new ProgramRun(guest, preparation.program, request, { ...settings, polyfills })
      active.add(run)
      run.start(setUp)
      const outcome = await run.outcome
      active.delete(run)
      pool?.giveBack(guest)
      return outcome
    },
    async dispose() {
      disposed = true
      for (const run of active) run.stop('abort', 'The runtime was disposed')
      pool = undefined
    },
  }
}

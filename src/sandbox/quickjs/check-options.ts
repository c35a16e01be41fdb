import { ToolgateError } from '../../errors/toolgate-error.js'

/** What both runtimes take. */
interface SharedOptions {
  readonly wasmModule?: unknown
  readonly random?: unknown
  readonly cpuClock?: unknown
}

/** Refuses an option of a runtime. @throws ToolgateError `INVALID_OPTIONS` */
export function refuseOption(what: string): never {
  throw new ToolgateError('INVALID_OPTIONS', what)
}

/** Checks that a runtime's options are an object with these keys alone, and those that both runtimes take. */
export function checkSharedOptions(runtime: string, keys: readonly string[], options: SharedOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuseOption(`The options of ${runtime} must be an object`)
  const unknown = Object.keys(options).find(name => !keys.includes(name))
  if (unknown !== undefined)
    refuseOption(`${runtime} does not know "${unknown}"; it takes ${keys.join(', ')}`)
  const { wasmModule, random, cpuClock } = options
  if (wasmModule !== undefined && !(wasmModule instanceof WebAssembly.Module))
    refuseOption('wasmModule must be a WebAssembly.Module')
  if (random !== undefined && typeof random !== 'function') refuseOption('random must be a function')
  if (cpuClock !== undefined && cpuClock !== 'measured' && cpuClock !== 'counted')
    refuseOption("cpuClock must be 'measured' or 'counted'")
}

/** What an engine instance asks of its host while a program runs. */
export interface EngineHost {
  /** Milliseconds since 1970. */
  now(): number
  /** True stops the program at once and uncatchably. Polled while it runs. */
  shouldStop(): boolean
  /** Receives one message of the guest and answers with a value for it, or 0. Throws only to end the run. */
  receive(list: number): number
  /** Work that no loop of the engine pays for. */
  charge(fuel: number): void
  /** The source of a module that the program imports. */
  moduleSource(name: string): string
  /** The fuel is used up. Throws past the deadline, else refills. */
  tick(): void
}

/** The parts of an instance that its own imports need. */
export interface EngineMemory {
  readonly memory: WebAssembly.Memory
  readonly maximumBytes: number
  copyText(text: string): number
  /** The text at a place, cut where it has more bytes than may be read. */
  readText(pointer: number, most: number): string
}

const PAGE_BYTES = 65_536
const REFUSED_FUEL = 50_000
const BAD_FILE = 52
const SEEK_REFUSED = 70
/** Of the name of a module, which is only ever shown: reading more of it is work that no fuel pays for. */
const MODULE_NAME_BYTES = 200

/** The engine itself has given up: a failed assertion or an exit. */
export class EngineAborted extends Error {
  override readonly name: string = 'EngineAborted'
}

function abort(): never {
  throw new EngineAborted('the engine aborted')
}

/** Grows by a fifth, or by what is needed when a fifth is too much. */
function growMemory({ memory, maximumBytes }: EngineMemory, host: EngineHost, wanted: number): number {
  const bytes = memory.buffer.byteLength
  const needed = wanted >>> 0
  for (const target of [Math.min(Math.max(needed, bytes * 1.2), maximumBytes), needed]) {
    if (target < needed || target > maximumBytes) continue
    try {
      memory.grow(Math.ceil((target - bytes) / PAGE_BYTES))
      host.charge((target - bytes) >> 6)
      return 1
    } catch {
      // The next smaller step, or none.
    }
  }
  // A loop of requests that fail costs the engine little and time a lot.
  host.charge(REFUSED_FUEL)
  return 0
}

// The guest lives in UTC: the host's zone is none of its business.
function writeLocalTime(words: Int32Array, seconds: bigint, out: number): void {
  const date = new Date(Number(seconds) * 1000)
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000)
  const clock = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()]
  const calendar = [date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear() - 1900, date.getUTCDay()]
  words.set([...clock, ...calendar, dayOfYear, 0, 0], out >> 2)
}

/** What the engine's binary imports, by its letters: a clock in UTC, memory growth, and nothing else of the world. */
export function engineImports(own: EngineMemory, host: EngineHost): WebAssembly.ModuleImports {
  const words = (): Int32Array => new Int32Array(own.memory.buffer)
  const writePair = (first: number, second: number): number => {
    words()[first >> 2] = 0
    words()[second >> 2] = 0
    return 0
  }
  // What the engine prints goes nowhere: programs have a console of their own.
  const write = (_file: number, vectors: number, count: number, written: number): number => {
    let bytes = 0
    for (let i = 0; i < count; i++) bytes += words()[(vectors >> 2) + 2 * i + 1] ?? 0
    words()[written >> 2] = bytes
    return 0
  }
  return {
    a: own.memory,
    b: abort,
    c: write,
    d: () => BAD_FILE,
    e: () => 0,
    f: writePair,
    g: (_runtime: number, _context: number, _base: number, name: number) =>
      own.copyText(own.readText(name, MODULE_NAME_BYTES)),
    h: (_runtime: number, _context: number, name: number) =>
      own.copyText(host.moduleSource(own.readText(name, MODULE_NAME_BYTES))),
    i: () => (host.shouldStop() ? 1 : 0),
    j: () => 0,
    k: (wanted: number) => growMemory(own, host, wanted),
    l: () => {},
    m: (seconds: bigint, out: number) => writeLocalTime(words(), seconds, out),
    n: writePair,
    o: () => SEEK_REFUSED,
    p: () => host.now(),
    q: abort,
    r: abort,
    s: (_context: number, _self: number, _count: number, list: number) => host.receive(list),
    t: () => {},
    tick: () => host.tick(),
  }
}

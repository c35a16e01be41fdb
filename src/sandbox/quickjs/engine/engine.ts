import { CallStack } from './call-stack.js'
import { type EngineExports, nameExports } from './engine-exports.js'
import { type EngineHost, engineImports } from './engine-imports.js'

const PAGE_BYTES = 65_536
const INITIAL_PAGES = 24
/** Texts up to this size are encoded in place; larger ones are measured first, so as not to reserve three times their size. */
const IN_PLACE_UNITS = 65_536
const STRICT = 8
const COMPILE_ONLY = 1 << 5
/** Where a context keeps the state of `Math.random`, and what is left until its next poll, in this build; tests hold both. */
const RANDOM_STATE = 224
const INTERRUPT_COUNTER = 232
/** Where a runtime keeps how many bytes it holds, and from how many on it collects. */
const HELD_BYTES = 20
const COLLECT_FROM = 108
/** How far before its bytes an engine's text keeps their number, whose top bit means something else. */
const TEXT_LENGTH = 12
const TEXT_LENGTH_MASK = 0x7fffffff
/** Texts up to this size are read without asking; of larger ones, so much is shown to whoever is asked. */
const SMALL_BYTES = 4096
const HEAD_BYTES = 2048
/** Jumps back and calls between two polls. The engine's own 10 000 are too many where each may take microseconds. */
const POLL_EVERY = 250
/** What the build lets one stretch without jumps and calls pass before it traps, and the marks of `reports`. */
const MOST_MARKS = 2048
const STACK_USED_UP = 1
const MEMORY_REFUSED = 2
const ENDED_FOR_MEMORY = 4
const ENDED_FOR_STACK = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The memory that every instance starts with: the engine's tables, its stack and room for the prelude. */
export const INITIAL_BYTES: number = INITIAL_PAGES * PAGE_BYTES

/** There is no room in the guest's memory for what the host has to put there. */
export class GuestMemoryFull extends Error {
  override readonly name: string = 'GuestMemoryFull'
}

/** An exception that left a guest call. It owns the thrown value, which is freed by whoever uses it. */
export class GuestThrow extends Error {
  override readonly name: string = 'GuestThrow'
  readonly value: number
  constructor(value: number) {
    super('the guest threw')
    this.value = value
  }
}

/**
 * One engine instance with a memory of its own, spoken to through the binary's exports. Values are pointers that the caller
 * frees. An instance is dropped, never disposed: after a host error (`RangeError`, `WebAssembly.RuntimeError`, a throw from
 * `tick`) its state is undefined.
 */
export class Engine {
  readonly memory: WebAssembly.Memory
  readonly maximumBytes: number
  readonly exports: EngineExports
  readonly #callStack: CallStack
  runtime = 0
  context = 0

  constructor(module: WebAssembly.Module, maximumBytes: number, host: EngineHost) {
    const pages = Math.max(INITIAL_PAGES, Math.ceil(maximumBytes / PAGE_BYTES))
    this.maximumBytes = pages * PAGE_BYTES
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: pages })
    this.#callStack = new CallStack(this.memory)
    this.exports = nameExports(new WebAssembly.Instance(module, { a: engineImports(this, host) }))
    this.exports.ceiling.value = this.maximumBytes
  }

  /** Makes the runtime and context. */
  boot(stackBytes: number): void {
    const { exports } = this
    exports.initialize()
    this.runtime = exports.newRuntime()
    exports.setMaxStackSize(this.runtime, stackBytes)
    exports.enableInterruptHandler(this.runtime)
    exports.enableModuleLoader(this.runtime, 0)
    this.enter(this.runtime, exports.newContext(this.runtime, 0))
  }

  /** Makes a context that the memory holds the one in use. */
  enter(runtime: number, context: number): void {
    this.runtime = runtime
    this.context = context
    this.exports.polls.value = context + INTERRUPT_COUNTER
  }

  /** Has the engine collect as its own memory has room, whoever made what it holds. */
  collectInTime(): void {
    const words = new Int32Array(this.memory.buffer, this.runtime)
    words[COLLECT_FROM >> 2] = this.exports.nextCollection(words[HELD_BYTES >> 2] as number)
  }

  /** Has the engine poll soon. To be said again at each poll. */
  pollSoon(): void {
    new Int32Array(this.memory.buffer, this.context + INTERRUPT_COUNTER, 1)[0] = POLL_EVERY
  }

  /** True if the engine has said that its stack ends, whether or not the program caught that. */
  get hasUsedUpStack(): boolean {
    return ((this.exports.reports.value as number) & STACK_USED_UP) !== 0
  }

  /** True if there was no room for something, after a collection as well where that could help. */
  get hasUsedUpMemory(): boolean {
    return ((this.exports.reports.value as number) & (MEMORY_REFUSED | ENDED_FOR_MEMORY)) !== 0
  }

  /** True if the last trap was the engine's own, since there was no room left to go on in. */
  get hasEndedForMemory(): boolean {
    return ((this.exports.reports.value as number) & ENDED_FOR_MEMORY) !== 0
  }

  /** True if the last trap was that of a stack that had come to its end where the engine does not look. */
  get hasEndedForStack(): boolean {
    return ((this.exports.reports.value as number) & ENDED_FOR_STACK) !== 0
  }

  /** True if the last trap was that of a stretch of code too long without a jump back or a call. */
  get hasRunTooFarStraight(): boolean {
    const counter = new Int32Array(this.memory.buffer, this.context + INTERRUPT_COUNTER, 1)[0] as number
    return counter < -MOST_MARKS
  }

  /** Where the program is, as an error's `stack` would say it. Only while the guest calls its host. */
  callStack(): string {
    return this.#callStack.read(this.runtime, bytes => {
      this.exports.fuel.value -= bytes >> 1
    })
  }

  /** Sets where the guest's `Math.random` goes on from. */
  seed(first: number, second: number): void {
    // A generator of this kind stays at zero for ever.
    new Uint32Array(this.memory.buffer, this.context + RANDOM_STATE, 2).set([first, second || 1])
  }

  /** Evaluates a strict script and returns its completion value. */
  evaluate(source: string, file: string): number {
    return this.#evaluate(source, file, STRICT)
  }

  /** True if a source is a program for the engine. Nothing of it runs. */
  parses(source: string, file: string): boolean {
    try {
      this.free(this.#evaluate(source, file, STRICT | COMPILE_ONLY))
      return true
    } catch (error) {
      if (!(error instanceof GuestThrow)) throw error
      this.free(error.value)
      return false
    }
  }

  #evaluate(source: string, file: string, flags: number): number {
    const text = this.#put(source)
    const name = this.#put(file)
    const value = this.exports.evaluate(this.context, text.pointer, text.bytes, name.pointer, 0, flags)
    this.exports.free(text.pointer)
    this.exports.free(name.pointer)
    return this.#checked(value)
  }

  /** Calls a guest function with no `this`. The arguments stay the caller's. */
  call(fn: number, args: readonly number[]): number {
    const { free, call, undefined: nothing } = this.exports
    const list = this.#room(4 * Math.max(1, args.length))
    new Int32Array(this.memory.buffer, list, args.length).set(args)
    const value = call(this.context, fn, nothing(), args.length, list)
    free(list)
    return this.#checked(value)
  }

  /** Runs at most so many pending jobs. A job that throws has failed on its own account; the rest go on. */
  runJobs(max: number): void {
    const { free, executePendingJobs, exceptionOf } = this.exports
    const out = this.#room(4)
    const value = executePendingJobs(this.runtime, max, out)
    free(out)
    const exception = exceptionOf(this.context, value)
    if (exception !== 0) this.free(exception)
    this.free(value)
  }

  get hasJobs(): boolean {
    return this.exports.isJobPending(this.runtime) !== 0
  }

  /** A guest string. The text must hold no NUL and no lone surrogate: JSON text never does. */
  string(text: string): number {
    const { pointer } = this.#put(text)
    const value = this.exports.newString(this.context, pointer)
    this.exports.free(pointer)
    return this.#checked(value)
  }

  number(value: number): number {
    return this.exports.newFloat64(this.context, value)
  }

  /** A guest function that hands its argument to the host. */
  hostFunction(name: string): number {
    const pointer = this.copyText(name)
    const value = this.exports.newFunction(this.context, pointer, 1, 0, 0)
    this.exports.free(pointer)
    return value
  }

  /**
   * The text of a guest value, which stays the caller's. `undefined` when the guest has no memory left for it, or when a large
   * one is not admitted, by its beginning and its UTF-8 bytes: then nothing more of it is read.
   */
  text(
    value: number,
    admit: (head: string, bytes: number) => boolean = () => true,
    full: () => void = () => {},
  ): string | undefined {
    const pointer = this.exports.getString(this.context, value)
    if (pointer === 0) {
      full()
      return undefined
    }
    const { buffer } = this.memory
    const bytes = (new Uint32Array(buffer, pointer - TEXT_LENGTH, 1)[0] as number) & TEXT_LENGTH_MASK
    const read = (count: number): string => decoder.decode(new Uint8Array(buffer, pointer, count))
    const text = bytes <= SMALL_BYTES || admit(read(HEAD_BYTES), bytes) ? read(bytes) : undefined
    this.exports.freeCString(this.context, pointer)
    return text
  }

  free(value: number): void {
    this.exports.freeValue(this.context, value)
  }

  readText(pointer: number, most: number): string {
    const bytes = new Uint8Array(this.memory.buffer).subarray(pointer, pointer + most)
    const end = bytes.indexOf(0)
    return end < 0 ? `${decoder.decode(bytes)}…` : decoder.decode(bytes.subarray(0, end))
  }

  copyText(text: string): number {
    return this.#put(text).pointer
  }

  #put(text: string): { readonly pointer: number; readonly bytes: number } {
    const large = text.length > IN_PLACE_UNITS ? encoder.encode(text) : undefined
    const room = (large?.length ?? text.length * 3) + 1
    const pointer = this.#room(room)
    const target = new Uint8Array(this.memory.buffer, pointer, room)
    let bytes = room - 1
    if (large === undefined) bytes = encoder.encodeInto(text, target).written
    else target.set(large)
    target[bytes] = 0
    return { pointer, bytes }
  }

  /** Room in the guest's memory. */
  #room(bytes: number): number {
    const { malloc, makeRoom } = this.exports
    const found = malloc(bytes)
    if (found !== 0) return found
    makeRoom(this.context, bytes)
    const foundThen = malloc(bytes)
    if (foundThen === 0) throw new GuestMemoryFull()
    return foundThen
  }

  #checked(value: number): number {
    const exception = this.exports.exceptionOf(this.context, value)
    if (exception === 0) return value
    this.free(value)
    throw new GuestThrow(exception)
  }
}

import type { Post } from './calls.js'
import { makeConsole } from './console.js'
import {
  apply,
  create,
  define,
  min,
  NativeError,
  NativePromise,
  NativeProxy,
  NativeTypeError,
  toText,
  whenSettled,
} from './intrinsics.js'
import { missingText, STAND_INS } from './names.js'

const MAX_TIMERS = 1000
const MAX_TIMER_MS = 2_147_483_647

const timers: Record<number, () => void> = create(null)
let lastTimer = 0
let timerCount = 0

/** A timer that has come due. */
export function fireTimer(id: number): void {
  const run = timers[id]
  if (run === undefined) return
  delete timers[id]
  timerCount -= 1
  run()
}

/** `setTimeout` and `queueMicrotask`. What a callback throws ends the program. */
function makeTimers(post: Post, fail: (error: unknown) => void, scope: object): void {
  const callable = (callback: unknown, name: string): (() => void) => {
    if (typeof callback !== 'function') throw new NativeTypeError(name + ' takes a function')
    return callback as () => void
  }
  const setTimeout = (callback: unknown, delay?: unknown, ...args: unknown[]): number => {
    const run = callable(callback, 'setTimeout')
    const ms = +(delay as number)
    // What that called may have set timers of its own.
    if (timerCount >= MAX_TIMERS)
      throw new NativeError('setTimeout: at most ' + MAX_TIMERS + ' timers at once')
    const id = ++lastTimer
    timerCount += 1
    timers[id] = () => apply(run, undefined, args as never)
    // As long as a host's timer can be, which is longer than a run.
    post('T[' + id + ',' + (ms > 0 ? min(ms, MAX_TIMER_MS) : 0) + ']')
    return id
  }
  const clearTimeout = (given?: unknown): void => {
    // Its text names a timer too.
    const id = typeof given === 'string' && '' + +given === given ? +given : given
    if (typeof id !== 'number' || timers[id] === undefined) return
    delete timers[id]
    timerCount -= 1
    post('U[' + id + ']')
  }
  const settled = NativePromise.resolve()
  const queueMicrotask = (callback: unknown): void => {
    const run = callable(callback, 'queueMicrotask')
    const guarded = (): void => {
      try {
        run()
      } catch (error) {
        fail(error)
      }
    }
    whenSettled(settled, guarded)
  }
  define(scope, 'setTimeout', setTimeout, false)
  define(scope, 'clearTimeout', clearTimeout, false)
  define(scope, 'queueMicrotask', queueMicrotask, false)
}

/** Names that programs reach for and that do not exist here: using one in any way says what does. */
function makeMissing(existing: () => string, scope: object): void {
  for (const name in STAND_INS) {
    const fail = (what: string): never => {
      throw new NativeError(missingText(what, existing()))
    }
    const used = (): never => fail(name)
    const isFunction = STAND_INS[name] === 'function'
    const standIn = new NativeProxy(isFunction ? class {} : create(null), {
      __proto__: null,
      apply: used,
      construct: used,
      get: (_target: object, key: PropertyKey): unknown =>
        typeof key === 'symbol' || key === 'then' ? undefined : fail(name + '.' + toText(key)),
      set: used,
      has: used,
    } as ProxyHandler<object>)
    define(scope, name, standIn, false)
  }
}

/** The globals that every program has beside the language and its namespaces. */
export function makeGlobals(
  post: Post,
  fail: (error: unknown) => void,
  existing: () => string,
  scope: object,
): void {
  define(scope, 'console', makeConsole(post), false)
  makeTimers(post, fail, scope)
  makeMissing(existing, scope)
}

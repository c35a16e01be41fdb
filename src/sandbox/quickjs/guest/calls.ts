import { inspect } from './inspect.js'
import {
  apply,
  create,
  define,
  freeze,
  keysOf,
  NativeError,
  NativePromise,
  NativeProxy,
  parseJson,
  promiseThen,
  quote,
} from './intrinsics.js'
import { Lossy, toJson } from './to-json.js'

/** Sends a message to the host. */
export type Post = (message: string) => void

interface Call {
  readonly name: string
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly errorClass: ErrorConstructor
  /** The stack where the program made the call: an error made later has none of its frames. */
  readonly stack: unknown
}

/** One group of host functions, as the host describes it. */
export interface NamespaceNote {
  readonly global: string
  readonly functions: readonly string[]
  readonly open: boolean
  readonly errorClass: string | null
}

const pending: Record<number, Call> = create(null)
const unasked: Record<number, string> = create(null)
const errorClasses: Record<string, ErrorConstructor> = create(null)
let lastId = 0

const ANSWERED = 0
const FAILED = 1
const OVER_LIMIT = 2
const TEXT = 3
const limitErrors = new WeakSet()
const weakSetAdd = WeakSet.prototype.add
const weakSetHas = WeakSet.prototype.has

/** The promise of a call. Its `then` sees whether the program ever asks for the answer; `await` goes through it too. */
class CallPromise extends NativePromise<unknown> {
  #id = 0
  static override get [Symbol.species](): PromiseConstructor {
    return NativePromise
  }
  static mark(promise: CallPromise, id: number): void {
    promise.#id = id
  }
  override then<A, B>(
    onFulfilled?: ((value: unknown) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (#id in this) delete unasked[this.#id]
    return apply(promiseThen as () => Promise<A | B>, this, [onFulfilled, onRejected] as never)
  }
}
const { mark } = CallPromise
freeze(CallPromise.prototype)
freeze(CallPromise)

function makeErrorClass(name: string): ErrorConstructor {
  const known = errorClasses[name]
  if (known !== undefined) return known
  const made = class extends NativeError {
    constructor(message: string) {
      super(message)
    }
  } as ErrorConstructor
  define(made, 'name', name, false)
  define(made.prototype, 'name', name, false)
  errorClasses[name] = made
  return made
}

function makeError(call: Call, message: string, properties: Record<string, unknown>): Error {
  const error = new call.errorClass(message)
  const names = keysOf(properties)
  for (let i = 0; i < names.length; i++) define(error, names[i] as string, properties[names[i] as string])
  define(error, 'stack', call.stack, false)
  return error
}

function argumentsJson(args: readonly unknown[]): string {
  let count = args.length
  while (count > 0 && args[count - 1] === undefined) count -= 1
  let text = ''
  for (let i = 0; i < count; i++)
    text += '' + (i === 0 ? '' : ',') + toJson(args[i], count === 1 ? 'arguments' : 'arguments[' + i + ']')
  return '[' + text + ']'
}

function makeFunction(
  post: Post,
  index: number,
  note: NamespaceNote,
  name: string,
  errorClass: ErrorConstructor,
): unknown {
  const callHost = (...args: unknown[]): Promise<unknown> => {
    const id = ++lastId
    // Here and not further in: each frame costs.
    const { stack } = new NativeError()
    const promise = new CallPromise((resolve, reject) => {
      pending[id] = { name, resolve, reject, errorClass, stack }
    })
    mark(promise, id)
    unasked[id] = name
    try {
      post('C[' + id + ',' + index + ',' + quote(name) + ',' + argumentsJson(args) + ']')
    } catch (error) {
      const { path, what } =
        error instanceof Lossy ? error : { path: 'arguments', what: 'not readable: ' + inspect(error) }
      settle(
        id,
        FAILED,
        '{"message":' +
          quote(note.global + '.' + name + ': ' + path + ' is ' + what) +
          ',"properties":{"code":"INVALID_ARGS"}}',
      )
    }
    return promise
  }
  define(callHost, 'name', name, false)
  return callHost
}

/** Answers a call. An answer that cannot be read rejects it. */
export function settle(id: number, verdict: number, json: string): void {
  const call = pending[id]
  if (call === undefined) return
  delete pending[id]
  if (verdict === TEXT) {
    call.resolve(json)
    return
  }
  let value: unknown
  try {
    value = json === '' ? undefined : parseJson(json)
  } catch {
    call.reject(
      makeError(call, 'The answer of "' + call.name + '" does not fit into the program\'s memory', {}),
    )
    return
  }
  if (verdict === ANSWERED) {
    call.resolve(value)
    return
  }
  const { message, properties } = value as { message: string; properties: Record<string, unknown> }
  const error = makeError(call, message, properties)
  if (verdict === OVER_LIMIT) apply(weakSetAdd, limitErrors, [error])
  call.reject(error)
}

/** True for the error of a call that was one too many. */
export const wasOverLimit = (error: unknown): boolean => apply(weakSetHas, limitErrors, [error as object])

/** Names of calls that the program never asked the answer of, as JSON. */
export function notAwaited(): string {
  let text = ''
  const ids = keysOf(unasked)
  for (let i = 0; i < ids.length; i++)
    text += '' + (i === 0 ? '' : ',') + quote(unasked[ids[i] as unknown as number] as string)
  return '[' + text + ']'
}

/** Makes a namespace's global object. */
export function makeNamespace(post: Post, index: number, note: NamespaceNote, scope: object): void {
  const { global, functions, open, errorClass } = note
  const ErrorClass = errorClass === null ? NativeError : makeErrorClass(errorClass)
  if (errorClass !== null) define(scope, errorClass, ErrorClass, false)
  const make = (name: string): unknown => makeFunction(post, index, note, name, ErrorClass)
  const target: Record<string, unknown> = create(null)
  for (let i = 0; i < functions.length; i++) {
    const name = functions[i] as string
    define(target, name, make(name))
  }
  const namespace = open
    ? new NativeProxy(target, {
        __proto__: null,
        get(_target: object, key: string | symbol) {
          if (key in target || typeof key === 'symbol' || key === 'then') return target[key as string]
          return make(key)
        },
      } as ProxyHandler<typeof target>)
    : target
  define(scope, global, namespace, false)
}

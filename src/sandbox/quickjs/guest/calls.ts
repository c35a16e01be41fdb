import { CallPromise, markCall } from './call-promise.js'
import {
  apply,
  construct,
  create,
  define,
  keysOf,
  NativeError,
  NativeProxy,
  NativeWeakSet,
  objectPrototype,
  ownKeys,
  parseJson,
  quote,
  toPrimitive,
  weakSetAdd,
  weakSetHas,
} from './intrinsics.js'
import { type Crossing, Lossy, makeCrossing, step, toJson } from './to-json.js'

/** Sends a message to the host, which answers some of them with a text. */
export type Post = (message: string) => unknown

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
const errorClasses: Record<string, ErrorConstructor> = create(null)
let lastId = 0

const ANSWERED = 0
const FAILED = 1
const OVER_LIMIT = 2
const TEXT = 3
const limitErrors = new NativeWeakSet()

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
  const error = construct(NativeError, [message], call.errorClass) as Error
  const names = keysOf(properties)
  for (let i = 0; i < names.length; i++) define(error, names[i] as string, properties[names[i] as string])
  define(error, 'stack', call.stack, false)
  return error
}

function argumentsJson(args: readonly unknown[], crossing: Crossing): string {
  let count = args.length
  while (count > 0 && args[count - 1] === undefined) count -= 1
  let text = ''
  for (let i = 0; i < count; i++)
    text +=
      '' +
      (i === 0 ? '' : ',') +
      toJson(args[i], count === 1 ? 'arguments' : 'arguments[' + i + ']', crossing, '' + i)
  return '[' + text + ']'
}

/** Sends the texts that were set aside ahead of the message that they belong to. Returns the ways to them. */
export function postTexts(post: Post, { texts, ways }: Crossing): string {
  for (let i = 0; i < texts.length; i++) post('P' + texts[i])
  return '[' + ways + ']'
}

function makeFunction(
  post: Post,
  index: number,
  global: string,
  name: string,
  errorClass: ErrorConstructor,
): (...args: unknown[]) => Promise<unknown> {
  const label = '' + global + step(name)
  const quoted = quote(name)
  const callHost = (...args: unknown[]): Promise<unknown> => {
    const id = ++lastId
    // Here and not further in: each frame costs.
    const { stack } = new NativeError()
    let reject: (error: unknown) => void = () => {}
    const promise = new CallPromise((resolve, refuse) => {
      reject = refuse
      pending[id] = { name, resolve, reject: refuse, errorClass, stack }
    })
    markCall(promise, id, name, label)
    try {
      const crossing = makeCrossing()
      const json = argumentsJson(args, crossing)
      const ways = postTexts(post, crossing)
      post('C[' + id + ',' + index + ',' + crossing.weight + ',' + quoted + ',' + json + ',' + ways + ']')
    } catch (error) {
      if (!(error instanceof Lossy)) {
        delete pending[id]
        reject(error)
        post('Q')
        return promise
      }
      const { path, what } = error
      settle(
        id,
        FAILED,
        '{"message":' + quote(label + ': ' + path + ' is ' + what) + ',"properties":{"code":"INVALID_ARGS"}}',
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

/** What the language itself looks up in an object that it is given. A name like these is never made up. */
const PROTOCOL_NAMES: Record<string, true> = create(null)
const PROTOCOLS = ['then', 'toJSON']
for (let i = 0; i < PROTOCOLS.length; i++) PROTOCOL_NAMES[PROTOCOLS[i] as string] = true
const INHERITED = ownKeys(objectPrototype)
for (let i = 0; i < INHERITED.length; i++) PROTOCOL_NAMES[INHERITED[i] as string] = true

/** Makes a namespace's global object. */
export function makeNamespace(post: Post, index: number, note: NamespaceNote, scope: object): void {
  const { global, functions, open, errorClass } = note
  const ErrorClass = errorClass === null ? NativeError : makeErrorClass(errorClass)
  if (errorClass !== null) define(scope, errorClass, ErrorClass, false)
  const make = (name: string): ((...args: unknown[]) => unknown) =>
    makeFunction(post, index, global, name, ErrorClass)
  const target: Record<PropertyKey, unknown> = create(null)
  const asText = (): string => '[object ' + global + ']'
  const view = (awaited: boolean): object =>
    new NativeProxy(target, {
      __proto__: null,
      get(_target: object, key: string | symbol) {
        if (key === toPrimitive) return asText
        if (awaited && key === 'then') return undefined
        if (key in target || !open || typeof key === 'symbol' || key in PROTOCOL_NAMES) return target[key]
        return make(key)
      },
    } as ProxyHandler<typeof target>)
  // `await` and `JSON.stringify` call these too, with what is no argument of a call.
  const sharedWithLanguage = (name: string, call: (...args: unknown[]) => unknown): unknown => {
    const shared = (...args: unknown[]): unknown => {
      if (name === 'then' && typeof args[0] === 'function') return args[0](view(true))
      if (name === 'toJSON' && typeof args[0] === 'string') return create(null)
      return apply(call, undefined, args as never)
    }
    define(shared, 'name', name, false)
    return shared
  }
  for (let i = 0; i < functions.length; i++) {
    const name = functions[i] as string
    const call = make(name)
    define(target, name, name === 'then' || name === 'toJSON' ? sharedWithLanguage(name, call) : call)
  }
  define(scope, global, view(false), false)
}

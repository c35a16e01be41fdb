import { CallPromise, forgetCall, MAX_NAME_UNITS, markCall } from './call-promise.js'
import {
  apply,
  beginning,
  construct,
  create,
  define,
  keysOf,
  NativeError,
  NativeWeakSet,
  parseJson,
  quote,
  weakSetAdd,
  weakSetHas,
} from './intrinsics.js'
import { type Crossing, Lossy, makeCrossing, step, toJson } from './to-json.js'

/** Sends a message to the host, which answers some of them with a text. */
export type Post = (message: string) => unknown

interface HostFunction {
  readonly name: string
  readonly errorClass: ErrorConstructor
}

interface Call {
  readonly of: HostFunction
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Why it cannot reach the host. It fails as others do, once the host has heard of it: the program may have ended by then. */
  refusal: { readonly error: unknown } | undefined
}

/** One group of host functions, as the host describes it. */
export interface NamespaceNote {
  readonly global: string
  /** Its keys are the names. */
  readonly functions: object
  readonly open: boolean
  readonly errorClass: string | null
}

const pending: Record<number, Call> = create(null)
const errorClasses: Record<string, ErrorConstructor> = create(null)
let lastId = 0

const ANSWERED = 0
const OVER_LIMIT = 2
const TEXT = 3
const TOO_LARGE = 4
const limitErrors = new NativeWeakSet()

/** The class of a namespace's errors, by its name. */
export function makeErrorClass(name: string): ErrorConstructor {
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

/** Its stack is that of the place where the program made the call: an error made later has none of those frames. */
function makeError(
  { name, errorClass }: HostFunction,
  message: string,
  properties: Record<string, unknown>,
  stack: unknown,
): Error {
  const error = construct(NativeError, [message], errorClass) as Error
  define(error, 'stack', stack, false)
  // What a program is told to look at is there whoever refused the call.
  if (errorClass !== NativeError) {
    define(error, 'toolName', name)
    define(error, 'code', 'TOOL_FAILED')
  }
  const names = keysOf(properties)
  for (let i = 0; i < names.length; i++) define(error, names[i] as string, properties[names[i] as string])
  return error
}

function argumentsJson(args: readonly unknown[], crossing: Crossing): string {
  if (args.length === 1 && args[0] !== undefined)
    return '[' + toJson(args[0], 'arguments', crossing, '0') + ']'
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

// One crossing serves call after call; a call that a getter makes on the way has its own.
let spare: Crossing | undefined

let resolveNew: Call['resolve'] = () => {}
let rejectNew: Call['reject'] = () => {}
const keepResolvers = (resolve: Call['resolve'], reject: Call['reject']): void => {
  resolveNew = resolve
  rejectNew = reject
}

/** A function of the program that calls one of the host. */
export function makeFunction(
  post: Post,
  index: number,
  global: string,
  name: string,
  errorClass: ErrorConstructor,
): (...args: unknown[]) => Promise<unknown> {
  const label = '' + global + step(name)
  const of: HostFunction = { name, errorClass }
  const place = ',' + index + ','
  const named = ',' + quote(name) + ','
  const callHost = (...args: unknown[]): Promise<unknown> => {
    const id = ++lastId
    const promise = new CallPromise(keepResolvers)
    const call: Call = { of, resolve: resolveNew, reject: rejectNew, refusal: undefined }
    pending[id] = call
    markCall(promise, id, name, label)
    const crossing = spare ?? makeCrossing()
    spare = undefined
    try {
      const json = argumentsJson(args, crossing)
      const { weight } = crossing
      const ways = postTexts(post, crossing)
      if (crossing.ways === '') {
        crossing.weight = 0
        spare = crossing
      }
      post('C[' + id + place + weight + named + json + ',' + ways + ']')
    } catch (error) {
      let shown: unknown = error
      if (error instanceof Lossy) {
        const { path, what } = error
        const { stack } = new NativeError()
        shown = makeError(of, label + ': ' + path + ' is ' + what, { code: 'INVALID_ARGS' }, stack)
      }
      call.refusal = { error: shown }
      post('Q[' + id + ',' + quote(beginning(name, MAX_NAME_UNITS + 1)) + ']')
    }
    return promise
  }
  define(callHost, 'name', name, false)
  return callHost
}

/** Answers a call. An answer that cannot be read rejects it. */
export function settle(post: Post, id: number, verdict: number, json: string): void {
  const call = pending[id]
  if (call === undefined) return
  delete pending[id]
  const { refusal } = call
  if (refusal !== undefined) {
    call.reject(refusal.error)
    return
  }
  if (verdict === TEXT) {
    call.resolve(json)
    return
  }
  let value: unknown
  let fits = verdict !== TOO_LARGE
  try {
    value = json === '' ? undefined : parseJson(json)
  } catch {
    fits = false
  }
  if (!fits) {
    const message = 'The answer of "' + call.of.name + '" does not fit into the program\'s memory'
    call.reject(makeError(call.of, message, { code: 'LIMIT_EXCEEDED' }, post('K')))
    return
  }
  if (verdict === ANSWERED) {
    call.resolve(value)
    return
  }
  const { message, properties } = value as { message: string; properties: Record<string, unknown> }
  const error = makeError(call.of, message, properties, post('K'))
  if (verdict === OVER_LIMIT) {
    apply(weakSetAdd, limitErrors, [error])
    forgetCall(id)
  }
  call.reject(error)
}

/** True for the error of a call that was one too many. */
export const wasOverLimit = (error: unknown): boolean => apply(weakSetHas, limitErrors, [error as object])

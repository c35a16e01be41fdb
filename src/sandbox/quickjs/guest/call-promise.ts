import {
  apply,
  beginning,
  create,
  freeze,
  keysOf,
  NativePromise,
  promiseThen,
  quote,
  setProperty,
} from './intrinsics.js'

/** What is told of the name of a call. */
export const MAX_NAME_UNITS = 200
const MAX_NAMED = 50

const unasked: Record<number, string> = create(null)

let brand: (promise: CallPromise, id: number, label: string) => void = () => {}
let askFor: (promise: object) => void = () => {}
let labelOf: (promise: object) => string | undefined = () => undefined

/**
 * The promise of a call. Its `then` sees whether the program ever asks for the answer. `await` and `Promise.all` look at its
 * constructor, and as that is the plain one they wait for the promise itself and not for one more that they make of it.
 */
export class CallPromise extends NativePromise<unknown> {
  #id = 0
  #label = ''
  // Not as static members: a promise leads programs to its class.
  static {
    brand = (promise, id, label) => {
      promise.#id = id
      promise.#label = label
    }
    askFor = promise => {
      if (#id in promise) delete unasked[promise.#id]
    }
    labelOf = promise => (#label in promise ? promise.#label : undefined)
  }
  override then<A, B>(
    onFulfilled?: ((value: unknown) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    askFor(this)
    return apply(promiseThen as () => Promise<A | B>, this, [onFulfilled, onRejected] as never)
  }
}
setProperty(CallPromise.prototype, 'constructor', {
  __proto__: null,
  get(this: object): PromiseConstructor {
    askFor(this)
    return NativePromise
  },
} as PropertyDescriptor)
freeze(CallPromise.prototype)
freeze(CallPromise)

/** Tells which call a promise is of: its number, its function's name, and how a program writes it. */
export function markCall(promise: CallPromise, id: number, name: string, label: string): void {
  brand(promise, id, label)
  unasked[id] = name
}

/** Says that the answer of a call is wanted, if the value is the promise of one. */
export const ask = (value: object): void => askFor(value)

/** How a program writes the call that a promise is of; `undefined` for anything else. */
export const callLabelOf = (value: object): string | undefined => labelOf(value)

/** Takes a call for none: it was one too many. */
export function forgetCall(id: number): void {
  delete unasked[id]
}

/** Names of calls that the program never asked the answer of, and how many there are, as JSON; nothing if there are none. */
export function notAwaited(): string {
  const ids = keysOf(unasked)
  if (ids.length === 0) return ''
  let text = ''
  for (let i = 0; i < ids.length && i < MAX_NAMED; i++) {
    const name = unasked[ids[i] as unknown as number] as string
    const shown = name.length > MAX_NAME_UNITS ? beginning(name, MAX_NAME_UNITS) + '…' : name
    text += '' + (i === 0 ? '' : ',') + quote(shown)
  }
  return '[[' + text + '],' + ids.length + ']'
}

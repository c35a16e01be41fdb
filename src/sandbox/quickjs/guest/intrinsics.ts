// Captured before any program runs. A program may replace or remove every global and every method of a prototype, so the
// guest's own code uses only these, and no syntax that looks methods up: no spread, no for-of, no array patterns, and no
// template literals, which the engine turns into calls of `String.prototype.concat`.

export const apply: typeof Reflect.apply = Reflect.apply
export const construct: typeof Reflect.construct = Reflect.construct
export const ownKeys: typeof Reflect.ownKeys = Reflect.ownKeys
export const getPrototypeOf: typeof Reflect.getPrototypeOf = Reflect.getPrototypeOf
export const getOwnPropertyDescriptor: typeof Reflect.getOwnPropertyDescriptor =
  Reflect.getOwnPropertyDescriptor
/** Through setters, as an assignment goes; false where one would throw. */
export const assign: typeof Reflect.set = Reflect.set
export const hasProperty: typeof Reflect.has = Reflect.has
export const defineProperty: typeof Reflect.defineProperty = Reflect.defineProperty
export const deleteProperty: typeof Reflect.deleteProperty = Reflect.deleteProperty
export const preventExtensions: typeof Reflect.preventExtensions = Reflect.preventExtensions
export const setPrototypeOf: typeof Object.setPrototypeOf = Object.setPrototypeOf
export const create: typeof Object.create = Object.create
export const freeze: typeof Object.freeze = Object.freeze
export const keysOf: typeof Object.keys = Object.keys
export const min: typeof Math.min = Math.min
export const max: typeof Math.max = Math.max
export const trunc: typeof Math.trunc = Math.trunc
export const toObject: (value: unknown) => object = Object
export const arraySort: unknown = Array.prototype.sort
export const NativeRangeError: RangeErrorConstructor = RangeError
export const NativeArray: ArrayConstructor = Array
export const isArray: typeof Array.isArray = Array.isArray
export const isFiniteNumber: typeof Number.isFinite = Number.isFinite
export const objectPrototype: object = Object.prototype
export const arrayPrototype: object = Array.prototype
export const promiseThen: (...args: never[]) => unknown = Promise.prototype.then
export const is: (a: unknown, b: unknown) => boolean = Object.is
export const quote: (value: unknown) => string = JSON.stringify
export const parseJson: (text: string) => unknown = JSON.parse
export const toText: (value: unknown) => string = String
export const NativeError: ErrorConstructor = Error
export const NativeTypeError: TypeErrorConstructor = TypeError
export const NativePromise: PromiseConstructor = Promise
export const NativeProxy: ProxyConstructor = Proxy
export const NativeDate: DateConstructor = Date
export const NativeBytes: Uint8ArrayConstructor = Uint8Array
export const now: () => number = Date.now
export const NativeBigInt: BigIntConstructor = BigInt
export const NativeSymbol: SymbolConstructor = Symbol
/** Evaluates a script in the global scope. */
export const evaluate: (script: unknown) => unknown = (globalThis as { eval: (script: unknown) => unknown })
  .eval
export const iteratorSymbol: typeof Symbol.iterator = Symbol.iterator
export const asyncIteratorSymbol: typeof Symbol.asyncIterator = Symbol.asyncIterator
export const NativeSet: SetConstructor = Set
export const setAdd: (value: unknown) => unknown = Set.prototype.add
export const NativeWeakSet: WeakSetConstructor = WeakSet
export const weakSetAdd: (value: WeakKey) => unknown = WeakSet.prototype.add
export const weakSetHas: (value: WeakKey) => boolean = WeakSet.prototype.has
export const globals: object = globalThis
export const toPrimitive: symbol = Symbol.toPrimitive

export const upperCase: () => string = String.prototype.toUpperCase
const indexOfText = String.prototype.indexOf
const sliceText = String.prototype.slice
const charCodeAt = String.prototype.charCodeAt
const isWellFormedText = (String.prototype as unknown as { isWellFormed: () => boolean }).isWellFormed
export const execRegExp: (text: string) => RegExpExecArray | null = RegExp.prototype.exec

const joinArray = Array.prototype.join

/** A list whose elements no setter of a prototype can catch. */
export const bareList = <T>(): T[] => setPrototypeOf([], null)
export const join = (pieces: string[]): string => apply(joinArray, pieces, [''])

export const setProperty: typeof Object.defineProperty = Object.defineProperty

/** An own property that no setter of a prototype can catch. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = true): void {
  setProperty(target, key, {
    __proto__: null,
    value,
    enumerable,
    writable: true,
    configurable: true,
  } as object)
}

/** The text of a value, as the language makes one where it needs one: `String` shows symbols. */
export function textOf(value: unknown): string {
  if (typeof value === 'symbol') throw new NativeTypeError('cannot convert symbol to string')
  return toText(value)
}

/** A property of a function that programs can neither write nor find among its members. */
export const describeFunction = (method: object, key: 'name' | 'length', value: unknown): unknown =>
  setProperty(method, key, {
    __proto__: null,
    value,
    writable: false,
    enumerable: false,
    configurable: true,
  } as object)

export const slice = (text: string, start: number, end?: number): string =>
  apply(sliceText, text, [start, end])
/** The beginning of a text, so many units of it at the most and none that is half of a pair. */
export function beginning(text: string, units: number): string {
  if (text.length <= units) return text
  const last = codeAt(text, units - 1)
  return slice(text, 0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}
export const indexOf = (text: string, part: string, from = 0): number =>
  apply(indexOfText, text, [part, from])
export const codeAt = (text: string, at: number): number => apply(charCodeAt, text, [at])
export const matches = (pattern: RegExp, text: string): boolean => apply(execRegExp, pattern, [text]) !== null

/** True for text that needs no JSON to leave: UTF-8 has no place for half of a pair. */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && apply(isWellFormedText, value, []) === true

/** Calls a getter or method of a built-in class; `undefined` when the value has no such internal slot. */
export function probe(method: unknown, value: unknown, args: unknown[] = []): unknown {
  try {
    return apply(method as () => unknown, value, args)
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null)

export const getterOf = (prototype: object, key: PropertyKey): unknown =>
  getOwnPropertyDescriptor(prototype, key)?.get

export const mapSize: unknown = getterOf(Map.prototype, 'size')
export const mapForEach: unknown = Map.prototype.forEach
export const setSize: unknown = getterOf(Set.prototype, 'size')
export const setForEach: unknown = Set.prototype.forEach
export const dateIso: unknown = Date.prototype.toISOString
export const dateTime: unknown = Date.prototype.getTime
export const regExpPrototype: object = RegExp.prototype
export const regExpSource: unknown = getterOf(RegExp.prototype, 'source')
export const regExpText: unknown = RegExp.prototype.toString
export const typedArrayPrototype: object = getPrototypeOf(Uint8Array.prototype) as object
export const typedArrayTag: unknown = getterOf(typedArrayPrototype, Symbol.toStringTag)
export const symbolText: unknown = Symbol.prototype.toString
const checkError = (Error as ErrorConstructor & { readonly isError?: (value: unknown) => boolean }).isError
export const isError = (value: unknown): value is Error => checkError?.(value) === true

const internalError = (globalThis as { InternalError?: { readonly prototype: object } }).InternalError
const internalErrorPrototype: object | undefined = internalError?.prototype
const syntaxErrorPrototype: object = SyntaxError.prototype

/** True for what the engine throws when it is out of memory or stack, if the program has not made it. */
export function isEngineFailure(value: unknown): boolean {
  return value === null || (isError(value) && getPrototypeOf(value) === internalErrorPrototype)
}

/** True for errors of the classes by which the engine says that it ran out of memory or stack. Programs can make such too. */
export function mayBeEngineError(value: unknown): boolean {
  if (!isError(value)) return false
  const prototype = getPrototypeOf(value)
  return prototype === internalErrorPrototype || prototype === syntaxErrorPrototype
}

const promisePrototype: object = Promise.prototype

/** True if a value has come from `Promise`, and so may be one. */
function isPromiseObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  try {
    for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at))
      if (at === promisePrototype) return true
  } catch {}
  return false
}

/** `then` that no replaced method, constructor or species of the program's can come between. Not for promises it holds. */
export function whenSettled(value: unknown, ...handlers: ((value: unknown) => void)[]): void {
  const follow = (promise: object): void => {
    define(promise, 'constructor', undefined, false)
    apply(promiseThen as () => void, promise, handlers as never)
  }
  if (isPromiseObject(value))
    try {
      follow(value)
      return
    } catch {}
  follow(new NativePromise(resolve => resolve(value)))
}

import { type List, lengthOf } from './fix-arrays.js'
import {
  apply,
  assign,
  asyncIteratorSymbol,
  construct,
  define,
  describeFunction,
  isObject,
  iteratorSymbol,
  NativeArray,
  NativeProxy,
  NativeTypeError,
  toObject,
} from './intrinsics.js'

type Method = (...args: never[]) => unknown
type Step = { readonly done: unknown; readonly value: unknown }

function methodOf(value: unknown, key: PropertyKey): Method | undefined {
  const method = (value as { readonly [key: PropertyKey]: unknown })[key]
  if (method === undefined || method === null) return undefined
  if (typeof method !== 'function') throw new NativeTypeError('not a function')
  return method as Method
}

/** Whether `new` takes it, without a question that the program could hear. */
function isConstructor(value: unknown): value is new (...args: unknown[]) => object {
  if (value === NativeArray) return true
  if (typeof value !== 'function') return false
  try {
    const asked = new NativeProxy(value, { __proto__: null, construct: () => ({}) } as object)
    return construct(asked as new () => object, []) !== undefined
  } catch {
    return false
  }
}

function finish(list: object, length: number): object {
  if (!assign(list, 'length', length)) throw new NativeTypeError('cannot set the length')
  return list
}

/**
 * One function that awaits what the standard awaits, each once, and nothing else: what a promise of its own would be asked by a
 * second one could be heard by a program that has replaced `then`.
 */
async function collect(make: unknown, items: unknown, map: unknown, self: unknown): Promise<object> {
  if (map !== undefined && typeof map !== 'function') throw new NativeTypeError('not a function')
  const mapper = map as Method | undefined
  const beginAsync = methodOf(items, asyncIteratorSymbol)
  const isAsync = beginAsync !== undefined
  const begin = beginAsync ?? methodOf(items, iteratorSymbol)
  if (begin === undefined) {
    const source = toObject(items) as List
    const length = lengthOf(source)
    const list = construct(isConstructor(make) ? make : NativeArray, [length])
    for (let at = 0; at < length; at++) {
      let value = await source[at]
      if (mapper !== undefined) value = await apply(mapper, self, [value, at] as never)
      define(list, at, value)
    }
    return finish(list, length)
  }
  const list = isConstructor(make) ? construct(make, []) : []
  const iterator = apply(begin, items, [] as never)
  if (!isObject(iterator)) throw new NativeTypeError('not an object')
  const next = (iterator as { readonly next: Method }).next
  for (let at = 0; ; at++) {
    let step = apply(next, iterator, [] as never)
    if (isAsync) step = await step
    if (!isObject(step)) throw new NativeTypeError('iterator must return an object')
    const isDone = !!(step as Step).done
    if (isDone && isAsync) return finish(list, at)
    let value: unknown = (step as Step).value
    let isMapping = isAsync
    try {
      if (!isAsync) value = await value
      if (isDone) return finish(list, at)
      isMapping = true
      if (mapper !== undefined) value = await apply(mapper, self, [value, at] as never)
      define(list, at, value)
    } catch (error) {
      // The failure counts, and not what comes of this.
      try {
        const end = isDone ? undefined : methodOf(iterator, 'return')
        const answer = end === undefined ? undefined : apply(end, iterator, [] as never)
        if (isAsync) await answer
        else if (isMapping && isObject(answer)) await (answer as Step).value
      } catch {}
      throw error
    }
  }
}

/** Adds `Array.fromAsync`, which the engine lacks. */
export function addFromAsync(): void {
  const { fromAsync } = {
    fromAsync(this: unknown, items: unknown, map: unknown, self: unknown): unknown {
      return collect(this, items, map, self)
    },
  }
  describeFunction(fromAsync, 'length', 1)
  define(NativeArray, 'fromAsync', fromAsync, false)
}

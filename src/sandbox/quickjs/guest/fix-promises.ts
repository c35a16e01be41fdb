import {
  apply,
  define,
  deleteProperty,
  getPrototypeOf,
  isError,
  NativePromise,
  promiseThen,
} from './intrinsics.js'

/** Has the error of `Promise.any` say what it is of, before anyone else sees it: the engine gives it no message. */
export function fixPromises(): void {
  const aggregate: unknown = AggregateError.prototype
  const nativeAny: unknown = NativePromise.any
  const say = (error: unknown): void => {
    if (isError(error) && getPrototypeOf(error) === aggregate && error.message === '')
      define(error, 'message', 'All promises were rejected', false)
  }
  const { any } = {
    any(this: unknown, values: unknown): unknown {
      const promise = apply(nativeAny as () => object, this, [values] as never)
      if (this !== NativePromise) return promise
      // So that no class of the program's is asked to make the promise that comes of it.
      define(promise, 'constructor', undefined, false)
      apply(promiseThen as () => void, promise, [undefined, say] as never)
      deleteProperty(promise, 'constructor')
      return promise
    },
  }
  define(NativePromise, 'any', any, false)
}

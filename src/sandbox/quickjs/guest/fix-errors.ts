import {
  define,
  describeFunction,
  indexOf,
  isObject,
  NativeError,
  NativeTypeError,
  slice,
} from './intrinsics.js'

/** Where the line after a place begins. */
function nextLine(text: string, from: number): number {
  const at = indexOf(text, '\n', from)
  return at < 0 ? text.length : at + 1
}

/** The stack without its first frame, and without those down to a function of that name. */
function framesBelow(stack: string, name: unknown): string {
  const from = nextLine(stack, 0)
  const at = typeof name === 'string' && name !== '' ? indexOf(stack, '    at ' + name + ' (', from) : -1
  return slice(stack, at < 0 ? from : nextLine(stack, at))
}

/** Adds `Error.captureStackTrace`, which classes of errors call where it exists and programs wherever they run. */
export function fixErrors(): void {
  const { captureStackTrace } = {
    captureStackTrace(target: unknown, above?: unknown): void {
      if (!isObject(target)) throw new NativeTypeError('not an object')
      const { stack } = new NativeError()
      define(target, 'stack', framesBelow(stack ?? '', typeof above === 'function' ? above.name : ''), false)
    },
  }
  describeFunction(captureStackTrace, 'length', 2)
  define(NativeError, 'captureStackTrace', captureStackTrace, false)
}

const LANGUAGE =
  'globalThis undefined NaN Infinity Object Function Array Boolean Number BigInt String Symbol Math JSON Reflect Proxy Promise ' +
  'Date RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError ' +
  'DisposableStack AsyncDisposableStack Iterator Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer DataView ' +
  'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array ' +
  'BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent ' +
  'escape unescape eval Intl WebAssembly'
// What the engine's host needs, and what a worker needs to hear messages.
const WEB =
  'self performance Performance setTimeout clearTimeout queueMicrotask crypto Crypto TextEncoder TextDecoder AbortController ' +
  'AbortSignal DOMException Event EventTarget MessageEvent ErrorEvent PromiseRejectionEvent CustomEvent MessagePort ' +
  'postMessage addEventListener removeEventListener dispatchEvent onmessage onmessageerror onerror structuredClone atob btoa'
const KEPT = new Set(`${LANGUAGE} ${WEB}`.split(' '))

/**
 * Takes from the worker's global scope what its work does not need: the network, storage, other workers, the process. No
 * program reaches that scope; whoever broke out of the engine would find it empty.
 */
export function dropGlobals(scope: object): void {
  for (const key of Reflect.ownKeys(scope))
    if (typeof key === 'string' && !KEPT.has(key)) Reflect.deleteProperty(scope, key)
}

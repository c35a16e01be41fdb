import { callLabelOf } from './call-promise.js'
import { is, matches, slice } from './intrinsics.js'

const TYPED_ARRAY = /^(?:Uint|Int|Float|BigInt|BigUint)\w{0,9}Array$/

/** What is wrong with a value that is neither array nor object, and what to write instead. */
export function scalarFault(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'undefined; leave the property out or use null'
    case 'number':
      return '' + (is(value, -0) ? '-0; add 0 to it' : value + '; use null or a string')
    case 'bigint':
      return 'a BigInt; use Number(n) or String(n)'
    case 'function':
      return 'a function; call it, or leave it out'
    default:
      return 'a ' + typeof value
  }
}

/** The same of an object that is not a plain one. */
export function objectFault(value: object, prototype: object): string {
  const call = callLabelOf(value)
  if (call !== undefined) return 'the Promise that ' + call + ' returned; await the call'
  let name: unknown
  try {
    name = (prototype as { constructor: { name: unknown } }).constructor.name
  } catch {}
  switch (name) {
    case 'Date':
      return 'a Date; use date.toISOString()'
    case 'Map':
      return 'a Map; use Object.fromEntries(map)'
    case 'Set':
      return 'a Set; use [...set]'
    case 'Promise':
      return 'a Promise; await it'
    case 'URL':
      return 'a URL; use url.href'
    case 'URLSearchParams':
      return 'a URLSearchParams; use params.toString()'
    default:
      if (typeof name === 'string' && matches(TYPED_ARRAY, name)) return 'a ' + name + '; use Array.from(it)'
      return typeof name === 'string' && name !== ''
        ? 'an instance of ' + slice(name, 0, 60) + '; use a plain object'
        : 'not a plain object or array'
  }
}

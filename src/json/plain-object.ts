const { getPrototypeOf, getOwnPropertyDescriptor } = Object
const sourceOf = Function.prototype.toString
const NATIVE_OBJECT = /^function Object\(\)\s*\{\s*\[native code\]\s*\}$/
const NATIVE_ARRAY = /^function Array\(\)\s*\{\s*\[native code\]\s*\}$/

// Another realm's `Object.prototype` is told from a look-alike by its constructor's native source.
function isIntrinsic(prototype: object, native: RegExp): boolean {
  const maker: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof maker !== 'function' || !native.test(sourceOf.call(maker))) return false
  return getOwnPropertyDescriptor(maker, 'prototype')?.value === prototype
}

/** True for objects made by a literal or with no prototype, of any realm. May throw what a proxy throws. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  if (typeof prototype !== 'object' || prototype === null || getPrototypeOf(prototype) !== null) return false
  return isIntrinsic(prototype, NATIVE_OBJECT)
}

/** True for arrays that are no subclass's, of any realm. May throw what a proxy throws. */
export function isPlainArray(value: object): value is unknown[] {
  if (!Array.isArray(value)) return false
  const prototype: unknown = getPrototypeOf(value)
  if (prototype === Array.prototype) return true
  return typeof prototype === 'object' && prototype !== null && isIntrinsic(prototype, NATIVE_ARRAY)
}

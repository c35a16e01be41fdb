import {
  apply,
  construct,
  define,
  globals,
  NativePromise,
  NativeProxy,
  NativeSet,
  setAdd,
  whenSettled,
} from './intrinsics.js'

const NativeWeakRef = WeakRef
let kept = new NativeSet<unknown>()
let last: unknown

/**
 * Has what a `WeakRef` was made of or gave out live until the program's current job ends. The engine lets go of it at once, so
 * that what was just put away was gone when it was asked for.
 */
export function fixWeakRefs(): void {
  const { prototype } = NativeWeakRef
  const nativeDeref = prototype.deref as () => unknown
  const settled = NativePromise.resolve()
  const forget = (): void => {
    kept = new NativeSet()
    last = undefined
  }
  const keep = (target: unknown): void => {
    if (target === last) return
    if (last === undefined) whenSettled(settled, forget)
    last = target
    apply(setAdd, kept, [target])
  }
  const { deref } = {
    deref(this: unknown): unknown {
      const target = apply(nativeDeref, this, [])
      if (target !== undefined) keep(target)
      return target
    },
  }
  const fixed = new NativeProxy(NativeWeakRef, {
    __proto__: null,
    construct: (target: WeakRefConstructor, args: unknown[], newTarget: WeakRefConstructor): object => {
      const made = construct(target, args, newTarget)
      keep(args[0])
      return made
    },
  } as ProxyHandler<WeakRefConstructor>)
  define(prototype, 'deref', deref, false)
  define(prototype, 'constructor', fixed, false)
  define(globals, 'WeakRef', fixed, false)
}

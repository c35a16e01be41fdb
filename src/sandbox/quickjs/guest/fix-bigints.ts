import { apply, define, NativeBigInt, trunc } from './intrinsics.js'

/** Writes anew what the engine's `asUintN` gets wrong: of a negative number it gives the number itself, from 32 bits on. */
export function fixBigInts(): void {
  const native = NativeBigInt.asUintN
  // As a method, so that it cannot be called with `new`.
  const { asUintN } = {
    asUintN(bits: unknown, value: unknown): bigint {
      const count = trunc(+(bits as number))
      const found = apply(native, undefined, [count, value as bigint])
      return found < 0n ? found & ((1n << NativeBigInt(count)) - 1n) : found
    },
  }
  define(NativeBigInt, 'asUintN', asUintN, false)
}

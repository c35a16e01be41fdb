import type { Post } from './calls.js'
import {
  apply,
  codeAt,
  define,
  getterOf,
  NativeBytes,
  NativeError,
  NativeTypeError,
  now,
  slice,
  typedArrayPrototype,
  typedArrayTag,
} from './intrinsics.js'

const MOST_BYTES = 65_536
const bufferOf = getterOf(typedArrayPrototype, 'buffer') as () => ArrayBuffer
const offsetOf = getterOf(typedArrayPrototype, 'byteOffset') as () => number
const bytesOf = getterOf(typedArrayPrototype, 'byteLength') as () => number

let startedAt = 0

/** Called when a program is about to start. */
export function startClock(): void {
  startedAt = now()
}

const digit = (code: number): number => (code < 58 ? code - 48 : code - 87)

/** The parts of `crypto` that need no keys, from the host's source of randomness, and `performance.now`, from its clock. */
export function makeRandom(post: Post, scope: object): void {
  const hex = (bytes: number): string => post('R' + bytes) as string
  const { randomUUID, getRandomValues } = {
    randomUUID(): string {
      const h = hex(16)
      const variant = '89ab'[digit(codeAt(h, 16)) & 3]
      return (
        slice(h, 0, 8) +
        '-' +
        slice(h, 8, 12) +
        '-4' +
        slice(h, 13, 16) +
        '-' +
        variant +
        slice(h, 17, 20) +
        '-' +
        slice(h, 20)
      )
    },
    getRandomValues(array: unknown): unknown {
      let kind: unknown
      try {
        kind = apply(typedArrayTag as () => unknown, array, [])
      } catch {}
      if (typeof kind !== 'string' || slice(kind, 0, 5) === 'Float')
        throw new NativeTypeError('crypto.getRandomValues takes an array of integers, such as a Uint8Array')
      const count = apply(bytesOf, array, [])
      if (count > MOST_BYTES)
        throw new NativeError('crypto.getRandomValues gives at most ' + MOST_BYTES + ' bytes at once')
      const bytes = new NativeBytes(apply(bufferOf, array, []), apply(offsetOf, array, []), count)
      const h = hex(count)
      for (let i = 0; i < count; i++) bytes[i] = digit(codeAt(h, 2 * i)) * 16 + digit(codeAt(h, 2 * i + 1))
      return array
    },
  }
  const crypto = {}
  define(crypto, 'randomUUID', randomUUID)
  define(crypto, 'getRandomValues', getRandomValues)
  define(scope, 'crypto', crypto, false)
  const performance = {}
  define(performance, 'now', () => now() - startedAt)
  define(scope, 'performance', performance, false)
}

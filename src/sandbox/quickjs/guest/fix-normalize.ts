import { apply, define } from './intrinsics.js'

/** Has `normalize` throw an error where it finds no room: the engine throws its mark for no value there. */
export function fixNormalize(): void {
  const native: unknown = String.prototype.normalize
  const { InternalError } = globalThis as unknown as { readonly InternalError: ErrorConstructor }
  const { normalize } = {
    normalize(this: unknown, ...form: unknown[]): unknown {
      try {
        return apply(native as () => string, this, form as never)
      } catch (error) {
        // Of no value of the language has `typeof` this to say.
        throw (typeof error as string) === 'unknown' ? new InternalError('out of memory') : error
      }
    },
  }
  define(String.prototype, 'normalize', normalize, false)
}

import {
  arrayPrototype,
  bareList,
  getPrototypeOf,
  isArray,
  join,
  keysOf,
  objectPrototype,
  quote,
} from './intrinsics.js'

/** As deep as the engine's own `JSON.stringify` may go: it recurses on the host's stack. */
const NATIVE_DEPTH = 200

/** An object or array without a prototype. */
export type Copy = Record<PropertyKey, unknown>

interface TextFrame {
  readonly copy: Copy
  readonly keys: readonly string[] | undefined
  readonly size: number
  readonly parent: TextFrame | undefined
  next: number
}

/** Text of a copy, however deep: the engine's own recurses on the host's stack. */
function deepText(root: Copy): string {
  const pieces = bareList<string>()
  let count = 0
  let at: TextFrame | undefined
  let value: unknown = root
  for (;;) {
    if (typeof value === 'object' && value !== null) {
      const copy = value as Copy
      const keys = isArray(copy) ? undefined : keysOf(copy)
      at = {
        copy,
        keys,
        size: keys === undefined ? copy.length : keys.length,
        next: 0,
        parent: at,
      } as TextFrame
      pieces[count++] = keys === undefined ? '[' : '{'
    } else pieces[count++] = quote(value)
    while (at !== undefined && at.next === at.size) {
      pieces[count++] = at.keys === undefined ? ']' : '}'
      at = at.parent
    }
    if (at === undefined) return join(pieces)
    const index = at.next++
    const key = at.keys === undefined ? index : (at.keys[index] as string)
    if (index > 0) pieces[count++] = ','
    if (at.keys !== undefined) pieces[count++] = quote(key) + ':'
    value = at.copy[key]
  }
}

/**
 * The engine's `JSON.stringify` also keeps its way down in an array, which setters on prototypes would see. A proxy above them
 * would too, and says nothing of it when it is asked.
 */
function isNativeSafe(deepest: number): boolean {
  if (deepest > NATIVE_DEPTH) return false
  if (getPrototypeOf(arrayPrototype) !== objectPrototype || getPrototypeOf(objectPrototype) !== null)
    return false
  for (let i = 0; i <= deepest; i++) if (i in arrayPrototype) return false
  return true
}

/** JSON text of a copy that is so many levels deep. */
export const copyText = (copy: Copy, deepest: number): string =>
  isNativeSafe(deepest) ? quote(copy) : deepText(copy)

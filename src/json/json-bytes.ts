import type { JsonObject, JsonValue } from './json-value.js'

/** UTF-8 bytes of a string's JSON text, quotes included. A lone surrogate counts as its six-byte escape. */
function stringBytes(text: string): number {
  let bytes = 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22 || unit === 0x5c) bytes += 2
    else if (unit < 0x20)
      bytes += unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6
    else if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3
    else {
      const next = text.charCodeAt(i + 1)
      const pair = unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff
      bytes += pair ? 4 : 6
      if (pair) i++
    }
  }
  return bytes
}

/** UTF-8 bytes of a value's JSON text without white space. Stops counting past `stopAfter`. Iterative. */
export function jsonBytes(value: JsonValue, stopAfter: number = Number.POSITIVE_INFINITY): number {
  let bytes = 0
  const stack: JsonValue[] = [value]
  while (stack.length > 0 && bytes <= stopAfter) {
    const node = stack.pop() as JsonValue
    if (typeof node === 'string') bytes += stringBytes(node)
    else if (node === null || typeof node !== 'object') bytes += String(node).length
    else if (Array.isArray(node)) {
      bytes += 2 + Math.max(0, node.length - 1)
      for (const item of node as readonly JsonValue[]) stack.push(item)
    } else {
      const keys = Object.keys(node)
      bytes += 2 + Math.max(0, keys.length - 1)
      for (const key of keys) {
        bytes += stringBytes(key) + 1
        stack.push((node as JsonObject)[key] as JsonValue)
      }
    }
  }
  return bytes
}

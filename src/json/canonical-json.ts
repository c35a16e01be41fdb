import type { JsonObject, JsonValue } from './json-value.js'

type Step = string | { readonly value: JsonValue }

/**
 * JSON text that is the same for equal values and different for others: no white space, keys in code unit order at every
 * level, lone surrogates escaped. Iterative.
 */
export function canonicalJson(value: JsonValue): string {
  const parts: string[] = []
  const stack: Step[] = [{ value }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step)
      continue
    }
    const { value: node } = step
    if (typeof node !== 'object' || node === null) {
      parts.push(JSON.stringify(node))
      continue
    }
    const list = Array.isArray(node)
    const keys = list ? Object.keys(node) : Object.keys(node).sort()
    parts.push(list ? '[' : '{')
    stack.push(list ? ']' : '}')
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string
      stack.push({ value: (node as JsonObject)[key] as JsonValue })
      stack.push(`${i > 0 ? ',' : ''}${list ? '' : `${JSON.stringify(key)}:`}`)
    }
  }
  return parts.join('')
}

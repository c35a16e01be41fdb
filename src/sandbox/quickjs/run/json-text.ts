import type { JsonObject, JsonValue } from '../../../json/json-value.js'

type Step = string | { readonly value: JsonValue }

function iterativeText(root: JsonValue): string {
  const parts: string[] = []
  const stack: Step[] = [{ value: root }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step)
      continue
    }
    const { value } = step
    if (typeof value !== 'object' || value === null) {
      parts.push(JSON.stringify(value))
      continue
    }
    const list = Array.isArray(value)
    const keys = Object.keys(value)
    stack.push(list ? ']' : '}')
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as string
      stack.push({ value: (value as JsonObject)[key] as JsonValue })
      stack.push(`${i > 0 ? ',' : ''}${list ? '' : `${JSON.stringify(key)}:`}`)
    }
    parts.push(list ? '[' : '{')
  }
  return parts.join('')
}

/** JSON text of any depth: the built-in recurses and may run out of stack. */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch {
    return iterativeText(value)
  }
}

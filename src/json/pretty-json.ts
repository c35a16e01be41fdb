import type { JsonObject, JsonValue } from './json-value.js'

const INDENT = '  '
const MAX_INDENTED_LEVELS = 5

type Step = string | { readonly value: JsonValue; readonly level: number }

/** JSON text for reading: two spaces a level, down to five levels; what lies deeper stands on one line. Iterative. */
export function prettyJson(value: JsonValue): string {
  const parts: string[] = []
  const stack: Step[] = [{ value, level: 0 }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step)
      continue
    }
    const { value: node, level } = step
    if (typeof node !== 'object' || node === null) {
      parts.push(JSON.stringify(node))
      continue
    }
    const list = Array.isArray(node)
    const entries: readonly (readonly [string, JsonValue])[] = Object.entries(node as JsonObject)
    if (entries.length === 0) {
      parts.push(list ? '[]' : '{}')
      continue
    }
    const compact = level >= MAX_INDENTED_LEVELS
    const inner = compact ? '' : `\n${INDENT.repeat(level + 1)}`
    const outer = compact ? '' : `\n${INDENT.repeat(level)}`
    parts.push(list ? '[' : '{')
    stack.push(`${outer}${list ? ']' : '}'}`)
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, child] = entries[i] as readonly [string, JsonValue]
      stack.push({ value: child, level: level + 1 })
      const label = list ? '' : `${JSON.stringify(key)}:${compact ? '' : ' '}`
      stack.push(`${i > 0 ? ',' : ''}${inner}${label}`)
    }
  }
  return parts.join('')
}

import type { JsonValue } from '../../json/json-value.js'
import { beginning, wellFormed } from '../well-formed.js'

/** A text as an attribute: of no more characters than allowed, and of whole ones, since exporters write UTF-8. */
export function attributeText(text: string, most: number): string {
  if (text.length <= most) return wellFormed(text)
  return `${wellFormed(beginning(text, Math.max(most - 1, 0)))}…`
}

/** A scalar as JSON; of a long text no more than could be kept. */
const scalarJson = (value: Exclude<JsonValue, object> | null, most: number): string =>
  JSON.stringify(typeof value === 'string' ? value.slice(0, most) : value)

type Step = string | { readonly value: JsonValue }

/**
 * JSON as an attribute. What is beyond the limit is not written in the first place: a value may be as large as the limits of a
 * registry allow.
 */
export function attributeJson(value: JsonValue | undefined, most: number): string | undefined {
  if (value === undefined) return undefined
  let text = ''
  const stack: Step[] = [{ value }]
  for (let step = stack.pop(); step !== undefined && text.length <= most; step = stack.pop()) {
    if (typeof step === 'string') {
      text += step
      continue
    }
    const node = step.value
    if (typeof node !== 'object' || node === null) {
      text += scalarJson(node, most)
      continue
    }
    const isList = Array.isArray(node)
    const keys = Object.keys(node)
    text += isList ? '[' : '{'
    stack.push(isList ? ']' : '}')
    // Each takes two characters at least.
    for (let i = Math.min(keys.length, most) - 1; i >= 0; i--) {
      const key = keys[i] as string
      stack.push({ value: (node as { readonly [key: string]: JsonValue })[key] as JsonValue })
      const comma = i > 0 ? ',' : ''
      stack.push(isList ? comma : `${comma}${scalarJson(key, most)}:`)
    }
  }
  return attributeText(text, most)
}

import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { byText, type Draft } from './json.js'

const ORDER =
  'type title description format nullable enum const default properties required propertyOrdering additionalProperties items prefixItems anyOf oneOf allOf $ref $defs'.split(
    ' ',
  )

const rank = (keyword: string): number => (ORDER.indexOf(keyword) + ORDER.length + 1) % (ORDER.length + 1)

/** The same keywords in the one order that all schemas on a wire have, however they were written. */
export function inOrder(node: Draft): JsonObject {
  const keys = Object.keys(node).sort((a, b) => rank(a) - rank(b) || byText(a, b))
  const out: Draft = {}
  for (const key of keys) out[key] = node[key] as JsonValue
  return out
}

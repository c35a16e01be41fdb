import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { follow, isList, isRecord, own } from './json.js'
import { namedTypes, normalizeNode } from './normalize-node.js'

const MAX_STEPS = 100

/** Whether null is a value that a schema accepts, as far as that is plain to see. */
export function acceptsNull(
  schema: JsonValue,
  root: JsonObject,
  steps: { left: number } = { left: MAX_STEPS },
): boolean {
  if (schema === true) return true
  if (!isRecord(schema) || steps.left-- <= 0) return false
  const { node } = normalizeNode(schema)
  const does = (branch: JsonValue): boolean => acceptsNull(branch, root, steps)
  const { $ref, allOf, enum: values } = node
  if (typeof $ref === 'string') {
    const target = follow(root, $ref)
    if (target === undefined || !does(target)) return false
  }
  const types = namedTypes(node)
  if (types.length > 0 && !types.includes('null')) return false
  if (isList(values) && !values.includes(null)) return false
  if (Object.hasOwn(node, 'const') && node.const !== null) return false
  for (const union of [node.anyOf, node.oneOf]) if (isList(union) && !union.some(does)) return false
  return !isList(allOf) || allOf.every(does)
}

/** A lowered schema that accepts null as well. */
export function withNull(schema: JsonObject): JsonObject {
  const union = own(schema, 'anyOf')
  if (isList(union)) return { ...schema, anyOf: [...union, { type: 'null' }] }
  const type = own(schema, 'type')
  if (type === undefined || Object.hasOwn(schema, 'const') || Object.hasOwn(schema, '$ref'))
    return { anyOf: [schema, { type: 'null' }] }
  const values = own(schema, 'enum')
  const types = isList(type) ? type : [type]
  return {
    ...schema,
    type: [...types, 'null'],
    ...(isList(values) && { enum: [...values, null] }),
  }
}

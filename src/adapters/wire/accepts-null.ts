import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { follow, isList, isRecord, own } from './json.js'
import { namedTypes } from './normalize-node.js'

const MAX_STEPS = 100

/** Whether null is a value that a schema accepts, as far as that is plain to see. */
export function acceptsNull(
  schema: JsonValue,
  root: JsonObject,
  steps: { left: number } = { left: MAX_STEPS },
): boolean {
  if (schema === true) return true
  if (!isRecord(schema) || steps.left-- <= 0) return false
  const ref = own(schema, '$ref')
  if (typeof ref === 'string') {
    const target = follow(root, ref)
    return target !== undefined && acceptsNull(target, root, steps)
  }
  const types = namedTypes(schema)
  if (types.length > 0 && !types.includes('null')) return false
  const values = own(schema, 'enum')
  if (isList(values) && !values.includes(null)) return false
  if (Object.hasOwn(schema, 'const') && schema.const !== null) return false
  const union = own(schema, 'anyOf') ?? own(schema, 'oneOf')
  if (isList(union)) return union.some(branch => acceptsNull(branch, root, steps))
  const all = own(schema, 'allOf')
  return !isList(all) || all.every(branch => acceptsNull(branch, root, steps))
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

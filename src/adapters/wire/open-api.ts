import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { type Draft, isList, isRecord, own } from './json.js'
import { inOrder } from './keyword-order.js'

const upper = (type: string): JsonObject => ({ type: type.toUpperCase() })

/** Any JSON value. The format has no word for it, so its kinds are listed. */
export const anyOpenApi = (description?: JsonValue): JsonObject => ({
  anyOf: [
    ...['string', 'number', 'boolean', 'object'].map(upper),
    { type: 'ARRAY', items: { type: 'STRING' } },
  ].map(kind => ({ ...kind, ...(description !== undefined && { description }), nullable: true })),
})

const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

const isNull = (schema: JsonValue): boolean =>
  isRecord(schema) &&
  schema.type === 'NULL' &&
  Object.keys(schema).every(key => key === 'type' || key === 'nullable')

/** Alternatives stand alone: what is said of all of them is said of each. */
function alone(branches: readonly JsonValue[], { description, nullable }: Draft): Draft {
  const said = (branch: JsonValue): JsonValue => ({
    ...(description !== undefined && { description }),
    ...(branch as JsonObject),
    ...(nullable === true && { nullable }),
  })
  // Alternatives among alternatives are some more of them.
  const flat = branches.flatMap(branch =>
    isRecord(branch) && isList(branch.anyOf) ? branch.anyOf : [branch],
  )
  return { anyOf: flat.map(branch => inOrder(said(branch) as Draft)) }
}

/** A lowered node in the words of OpenAPI 3.0: one type in capitals, null by `nullable`, 64-bit counts as text. */
export function finishOpenApi(given: Draft, types: readonly string[]): Draft {
  const out: Draft = { ...given }
  const kinds = types.filter(type => type !== 'null')
  if (kinds.length !== types.length) out.nullable = true
  if (kinds.length > 0) out.type = (kinds[0] as string).toUpperCase()
  else if (types.length > 0) out.type = 'NULL'
  for (const key of COUNTS) if (typeof out[key] === 'number') out[key] = String(out[key])
  const union = own(out, 'anyOf')
  if (isList(union)) {
    const rest = union.filter(branch => !isNull(branch))
    if (rest.length < union.length) out.nullable = true
    if (rest.length > 1) return alone(rest, out)
    else {
      delete out.anyOf
      const only = rest[0]
      if (isRecord(only) && isList(only.anyOf)) return alone(only.anyOf, out)
      if (isRecord(only)) return { ...only, ...out, ...(out.nullable !== undefined && { nullable: true }) }
      out.type = 'NULL'
    }
  }
  if (out.type === 'OBJECT' && isRecord(out.properties)) {
    const names = Object.keys(out.properties)
    if (names.length === 0) delete out.properties
    else if (names.length > 1) out.propertyOrdering = names
  }
  if (isList(out.required) && out.required.length === 0) delete out.required
  return out
}

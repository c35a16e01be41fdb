import { isNode, keysOf, listOf, own, type SchemaNode } from './read-schema.js'

// Deeper compositions count as open and conditional, which errs on the accepting side.
const MAX_DEPTH = 4
const CONDITIONS = ['if', 'dependentSchemas', 'dependencies', '$dynamicRef', '$recursiveRef']

/** Finds the schema that the `$ref` of a node points to. */
export type Follow = (node: SchemaNode) => unknown

/** True when the schema itself, or one it includes, refuses keys that it does not declare. */
export function isClosed(schema: unknown, follow: Follow, depth = 0): boolean {
  if (!isNode(schema) || depth > MAX_DEPTH) return false
  if (own(schema, 'additionalProperties') === false) return true
  if (own(schema, 'unevaluatedProperties') === false && !isConditional(schema, follow, 0)) return true
  const included = [follow(schema), ...(listOf(own(schema, 'allOf')) ?? [])]
  return included.some(part => isClosed(part, follow, depth + 1))
}

// Keys that only a condition declares are not in the printed type, nor those of a choice that is dropped
// because one of its branches allows everything.
function isConditional(schema: unknown, follow: Follow, depth: number): boolean {
  if (!isNode(schema)) return false
  if (depth > MAX_DEPTH || CONDITIONS.some(key => own(schema, key) !== undefined)) return true
  const choices = ['anyOf', 'oneOf'].flatMap(key => listOf(own(schema, key)) ?? [])
  const names = (branch: unknown): boolean => isNode(branch) && own(branch, 'properties') !== undefined
  if (!choices.every(branch => names(branch) || (isNode(branch) && names(follow(branch))))) return true
  const parts = [follow(schema), ...choices, ...(listOf(own(schema, 'allOf')) ?? [])]
  return parts.some(part => isConditional(part, follow, depth + 1))
}

/** Keys that one of the schemas for the same value declares and a closed one among them refuses. */
export function refusedKeys(schema: SchemaNode, follow: Follow): string[] {
  const allOf = listOf(own(schema, 'allOf')) ?? []
  const parts = [schema, ...allOf, ...[schema, ...allOf].map(part => isNode(part) && follow(part))].filter(
    isNode,
  )
  const declared = parts.map(part => new Set(keysOf(own(part, 'properties'))))
  const refused = new Set<string>()
  parts.forEach((part, index) => {
    if (own(part, 'additionalProperties') !== false || own(part, 'patternProperties') !== undefined) return
    for (const keys of declared) for (const key of keys) if (!declared[index]?.has(key)) refused.add(key)
  })
  return [...refused]
}

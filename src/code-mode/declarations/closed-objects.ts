import { createReachability, type Reaches } from './reachability.js'
import { isNode, keysOf, own, type SchemaNode } from './read-schema.js'
import { CHOICES, follow, sameValue } from './same-value.js'
import type { SchemaDocument } from './schema-document.js'

const INCLUDED = ['$ref', 'allOf']
const CONDITIONS = ['if', 'dependentSchemas', 'dependencies', '$dynamicRef', '$recursiveRef']

/** What the schemas for one value say together about the keys of an object. */
export interface ClosedObjects {
  /** True when the schema itself refuses keys that it does not declare. */
  closes(schema: unknown): boolean
  /** True when the schema itself, or one it includes, refuses keys that it does not declare. */
  isClosed(schema: unknown): boolean
  /** Keys that one of the schemas for the same value declares and a closed one among them refuses. */
  refusedKeys(schema: SchemaNode): string[]
}

/** Creates the answers for one document. */
export function createClosedObjects(document: SchemaDocument): ClosedObjects {
  // Most documents have no schema that these are asked about.
  let openEnded: Reaches | undefined
  let closed: Reaches | undefined
  return { closes, isClosed, refusedKeys }

  function isOpenEnded(schema: unknown): boolean {
    openEnded ??= createReachability(isConditional, node =>
      sameValue(document, node, [...INCLUDED, ...CHOICES]),
    )
    return openEnded(schema)
  }

  function isClosed(schema: unknown): boolean {
    closed ??= createReachability(closes, node => sameValue(document, node, INCLUDED))
    return closed(schema)
  }

  function viewOf(schema: unknown): SchemaNode | undefined {
    return isNode(schema) ? document.read(schema) : undefined
  }

  function closes(schema: unknown): boolean {
    const node = viewOf(schema)
    if (!node) return false
    if (own(node, 'additionalProperties') === false) return true
    return own(node, 'unevaluatedProperties') === false && !isOpenEnded(schema)
  }

  // Keys that only a condition declares are not in the printed type, nor those of a choice that is dropped
  // because one of its branches allows everything, nor those of a schema that is not there.
  function isConditional(schema: unknown): boolean {
    const node = viewOf(schema)
    if (!node) return false
    if (CONDITIONS.some(key => own(node, key) !== undefined)) return true
    if (own(node, '$ref') !== undefined && follow(document, schema) === undefined) return true
    return sameValue(document, schema, CHOICES).some(
      branch => !declares(branch) && !declares(follow(document, branch)),
    )
  }

  function declares(schema: unknown): boolean {
    const node = viewOf(schema)
    return node !== undefined && own(node, 'properties') !== undefined
  }

  function refusedKeys(schema: SchemaNode): string[] {
    const direct = [schema, ...sameValue(document, schema, ['allOf'])]
    const parts = [...direct, ...direct.map(part => follow(document, part))].flatMap(
      part => viewOf(part) ?? [],
    )
    // How many of the closed schemas declare each key: those that all of them declare are not refused.
    const declaring = new Map<string, number>()
    let closing = 0
    for (const part of parts) {
      if (!part) continue
      const refuses =
        own(part, 'additionalProperties') === false && own(part, 'patternProperties') === undefined
      if (refuses) closing++
      for (const key of keysOf(own(part, 'properties')))
        declaring.set(key, (declaring.get(key) ?? 0) + (refuses ? 1 : 0))
    }
    return closing === 0 ? [] : [...declaring].filter(([, count]) => count < closing).map(([key]) => key)
  }
}

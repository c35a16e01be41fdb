import type { JsonObject, JsonValue } from '../json/json-value.js'
import { isRecord } from './read-node.js'
import type { DocumentNode, SchemaDocument } from './schema-document.js'

const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['not', 'if', 'then', 'else']
const REFERENCES = ['$ref', '$dynamicRef']

// The schemas that a value must be held against before anything inside it is looked at.
function* inPlace(node: JsonObject, document: SchemaDocument): Generator<JsonValue | undefined> {
  for (const keyword of REFERENCES) {
    const reference = Object.hasOwn(node, keyword) ? node[keyword] : undefined
    if (typeof reference === 'string') yield document.resolve(reference, node)?.node
  }
  if (document.draft === '7' && Object.hasOwn(node, '$ref')) return
  for (const keyword of LISTS) {
    const list = Object.hasOwn(node, keyword) ? node[keyword] : undefined
    if (Array.isArray(list)) yield* list
  }
  for (const keyword of SINGLES) if (Object.hasOwn(node, keyword)) yield node[keyword]
}

interface Visit {
  readonly at: DocumentNode
  readonly next: Generator<JsonValue | undefined>
}

/** A schema that leads back to one it came from without a step into the value, so that checking would never end. Iterative. */
export function endlessReference(document: SchemaDocument): DocumentNode | undefined {
  const known = new Map(document.nodes.map(at => [at.node, at]))
  const open = new Set<JsonObject>()
  const done = new Set<JsonObject>()
  for (const start of document.nodes) {
    const path: Visit[] = []
    const enter = (node: JsonObject, at: DocumentNode): void => {
      open.add(node)
      path.push({ at, next: inPlace(node, document) })
    }
    if (isRecord(start.node) && !done.has(start.node)) enter(start.node, start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.next.next()
      if (step.done) {
        path.pop()
        open.delete(top.at.node as JsonObject)
        done.add(top.at.node as JsonObject)
      } else if (isRecord(step.value)) {
        if (open.has(step.value)) return top.at
        if (!done.has(step.value)) enter(step.value, known.get(step.value) ?? { ...top.at, node: step.value })
      }
    }
  }
  return undefined
}

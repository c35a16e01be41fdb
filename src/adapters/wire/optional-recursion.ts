import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { type Draft, isList, isRecord, own } from './json.js'
import { withWords } from './lost-words.js'

/** A reference that is always followed: no property on the way to it may be left out. */
interface Edge {
  readonly target: string
  /** The object that requires what it is in, and the property; undefined where there is none. */
  readonly via: { readonly object: Draft; readonly key: string } | undefined
  readonly node: Draft
}

const PREFIX = '#/$defs/'

function edgesOf(definition: JsonValue): Edge[] {
  const edges: Edge[] = []
  const waiting: (readonly [JsonValue | undefined, Edge['via']])[] = [[definition, undefined]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, via] = next
    if (!isRecord(node)) continue
    const { $ref, required, properties, anyOf, prefixItems } = node
    if (typeof $ref === 'string') edges.push({ target: $ref.slice(PREFIX.length), via, node: node as Draft })
    if (isRecord(properties) && isList(required))
      for (const key of Object.keys(properties))
        if (required.includes(key)) waiting.push([properties[key], { object: node as Draft, key }])
    for (const list of [anyOf, prefixItems])
      if (isList(list)) for (const each of list) waiting.push([each, via])
    waiting.push([node.items, via], [node.additionalProperties, via])
  }
  return edges
}

function cut({ via, node }: Edge, note: (message: string) => void): void {
  if (via === undefined) {
    for (const key of Object.keys(node)) delete node[key]
    note('a schema that is itself ends here')
    return
  }
  const { object, key } = via
  const required = ((own(object, 'required') ?? []) as readonly string[]).filter(name => name !== key)
  if (required.length > 0) object.required = required
  else delete object.required
  const description = withWords(object.description, [['required', [key]]])
  if (description !== undefined) object.description = description
  note(`"${key}" contains itself, so it is sent as one that may be left out`)
}

interface Step {
  readonly name: string
  /** What led here. */
  readonly by: Edge | undefined
  readonly edges: Edge[]
}

/**
 * Makes a schema come to an end where it leads back to itself and every property on the way is required: one such property
 * need not be there then. Changes the definitions it is given. Iterative.
 */
export function cutRequiredRecursion(definitions: JsonObject, note: (message: string) => void): void {
  const done = new Set<string>()
  for (const start of Object.keys(definitions)) {
    const path: Step[] = []
    const enter = (name: string, by?: Edge): void => {
      if (done.has(name) || !Object.hasOwn(definitions, name)) return
      path.push({ name, by, edges: edgesOf(definitions[name] as JsonValue) })
    }
    enter(start)
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const edge = at.edges.pop()
      if (edge === undefined) {
        path.pop()
        done.add(at.name)
        continue
      }
      const first = path.findIndex(({ name }) => name === edge.target)
      if (first < 0) enter(edge.target, edge)
      else if (edge.via !== undefined) cut(edge, note)
      else {
        // Anywhere on the way round is as good; a property that may be left out says more than anything at all.
        const last = path.findLastIndex(({ by }, i) => i > first && by?.via !== undefined)
        cut(path[last]?.by ?? edge, note)
        if (last >= 0) path.length = last
      }
    }
  }
}

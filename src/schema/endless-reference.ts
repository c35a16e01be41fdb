import { isRecord } from '../json/is-record.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { type DynamicScope, DynamicScopes, referencesOf } from './dynamic-scopes.js'
import { shapeOf, subschemasOf } from './json-schema-keywords.js'
import type { DocumentNode, SchemaDocument } from './schema-document.js'

// What stands under these is about the value itself, not about something inside it.
const IN_PLACE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
])

/** A schema as it is come to in one scope. */
interface Place {
  readonly node: JsonObject
  readonly scope: DynamicScope
}

interface Visit {
  readonly place: Place
  readonly next: Iterator<Place>
}

class Search {
  readonly #document: SchemaDocument
  readonly #scopes: DynamicScopes
  readonly #open = new Map<DynamicScope, Set<JsonObject>>()
  readonly #done = new Map<DynamicScope, Set<JsonObject>>()
  readonly #starts: Place[] = []

  constructor(document: SchemaDocument) {
    this.#document = document
    this.#scopes = new DynamicScopes(document)
  }

  run(root: JsonObject): JsonObject | undefined {
    this.#starts.push(this.#place(root, this.#scopes.none))
    for (let start = this.#starts.pop(); start !== undefined; start = this.#starts.pop()) {
      const found = this.#follow(start)
      if (found !== undefined) return found
    }
    return undefined
  }

  #place(node: JsonObject, scope: DynamicScope): Place {
    return { node, scope: this.#scopes.enter(scope, node) }
  }

  // Depth first, in place. Steps into the value are starts of their own.
  #follow(start: Place): JsonObject | undefined {
    const path: Visit[] = []
    const enter = (place: Place): void => {
      mark(this.#open, place)
      path.push({ place, next: this.#inPlace(place)[Symbol.iterator]() })
    }
    if (!has(this.#done, start)) enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.next.next()
      if (step.done) {
        path.pop()
        this.#open.get(top.place.scope)?.delete(top.place.node)
        mark(this.#done, top.place)
      } else if (has(this.#open, step.value)) return top.place.node
      else if (!has(this.#done, step.value)) enter(step.value)
    }
    return undefined
  }

  #inPlace({ node, scope }: Place): Place[] {
    const { draft } = this.#document
    const places: Place[] = []
    const add = (list: Place[], child: JsonValue | undefined): void => {
      if (isRecord(child)) list.push(this.#place(child, scope))
    }
    for (const reference of referencesOf(node, this.#document))
      add(places, this.#scopes.resolve(reference, node, scope)?.node)
    if (draft === '7' && Object.hasOwn(node, '$ref')) return places
    for (const keyword of Object.keys(node)) {
      const shape = shapeOf(keyword, draft)
      if (shape === undefined || keyword === '$defs' || keyword === 'definitions') continue
      for (const child of subschemasOf(keyword, shape, node[keyword] as JsonValue))
        add(IN_PLACE.has(keyword) ? places : this.#starts, child.node)
    }
    return places
  }
}

function mark(places: Map<DynamicScope, Set<JsonObject>>, { node, scope }: Place): void {
  const nodes = places.get(scope) ?? new Set()
  places.set(scope, nodes.add(node))
}

const has = (places: Map<DynamicScope, Set<JsonObject>>, { node, scope }: Place): boolean =>
  places.get(scope)?.has(node) === true

/**
 * A schema that leads back to one it came from without a step into the value, so that checking would never end. Only what
 * a value can come to counts. Iterative.
 * @throws Error if the schema has more dynamic scopes than are worth telling apart.
 */
export function endlessReference(document: SchemaDocument, root: JsonObject): DocumentNode | undefined {
  const found = new Search(document).run(root)
  return found && document.nodes.find(({ node }) => node === found)
}

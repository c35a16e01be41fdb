import type { JsonObject, JsonValue } from '../json/json-value.js'
import { setOwn } from './set-own.js'

type Draft = { [key: string]: JsonValue | Draft | Draft[] }

interface Task {
  readonly node: JsonObject
  readonly draft: Draft
}

/** Prints checked nodes as JSON Schema, key order kept. Iterative: what is below a node waits on a list. */
class Printer {
  readonly #tasks: Task[] = []
  readonly #drafts: object[] = []

  /** The draft of a node, filled later. */
  node(node: JsonValue): Draft {
    const draft = this.#made<Draft>({})
    this.#tasks.push({ node: node as JsonObject, draft })
    return draft
  }

  properties(draft: Draft, map: JsonObject): void {
    const properties = this.#made<Draft>({})
    const required: string[] = []
    for (const name of Object.keys(map)) {
      const property = map[name] as JsonObject
      setOwn(properties, name, this.node(property))
      if (Object.hasOwn(property, 'required')) required.push(name)
    }
    draft.properties = properties
    if (required.length > 0) draft.required = this.#made(required)
  }

  finish(): void {
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#fill(task)
    for (const draft of this.#drafts) Object.freeze(draft)
  }

  #made<T extends object>(draft: T): T {
    this.#drafts.push(draft)
    return draft
  }

  #fill({ node, draft }: Task): void {
    for (const key of Object.keys(node)) {
      const value = node[key] as JsonValue
      if (key === 'required' || (key === 'type' && value === 'json')) continue
      if (key === 'properties') this.properties(draft, value as JsonObject)
      else if (key === 'items') draft.items = this.node(value)
      else if (key === 'oneOf')
        draft.oneOf = this.#made((value as readonly JsonValue[]).map(branch => this.node(branch)))
      else draft[key] = value
    }
  }
}

/** JSON Schema of a checked node, frozen. */
export function printNode(node: JsonValue): JsonObject {
  const printer = new Printer()
  const draft = printer.node(node)
  printer.finish()
  return draft as JsonObject
}

/** JSON Schema of a checked map of properties, frozen: an object that undeclared properties may join. */
export function printMap(map: JsonObject): JsonObject {
  const printer = new Printer()
  const draft: Draft = { type: 'object' }
  printer.properties(draft, map)
  printer.finish()
  return Object.freeze(draft) as JsonObject
}

import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { below, isRecord } from './json.js'

/** A place in the tool as it was registered. */
export interface ToolPlace {
  /** A JSON pointer that leads somewhere in the tool. */
  readonly path: string
  /** What stands there. */
  readonly source: JsonValue
}

/** What a tool may have called a keyword that goes by another name here. */
const SPELLED: { readonly [keyword: string]: string } = {
  anyOf: 'oneOf',
  prefixItems: 'items',
  items: 'additionalItems',
  dependentSchemas: 'dependencies',
}

function walk({ path, source }: ToolPlace, steps: readonly (string | number)[]): ToolPlace | undefined {
  let [at, node] = [path, source]
  for (const step of steps) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined
    node = (node as JsonObject)[step] as JsonValue
    at = below(at, step)
  }
  return typeof node === 'boolean' || isRecord(node) ? { path: at, source: node } : undefined
}

/**
 * Finds schemas again in the tool that they came from. Rewriting a schema keeps most of those in it: they are known by
 * what they are, wherever they stand by then.
 */
export class ToolPlaces {
  readonly root: ToolPlace
  #known: Map<JsonValue, string> | undefined

  constructor(parameters: JsonObject) {
    this.root = { path: '#/parameters', source: parameters }
  }

  /**
   * The place of a schema so many steps below another one: where the tool has this very schema, else what those steps lead to,
   * else the place that it is below.
   */
  find(schema: JsonValue, from: ToolPlace, steps: readonly (string | number)[]): ToolPlace {
    const spelled = SPELLED[String(steps[0])]
    const near = [steps, ...(spelled === undefined ? [] : [[spelled, ...steps.slice(1)]])]
      .map(way => walk(from, way))
      .filter(place => place !== undefined)
    const here = near.find(({ source }) => source === schema)
    if (here !== undefined) return here
    const path = isRecord(schema) ? this.#index().get(schema) : undefined
    return path === undefined ? (near[0] ?? from) : { path, source: schema }
  }

  // Made when it is first asked for: few schemas are rewritten. Iterative.
  #index(): Map<JsonValue, string> {
    if (this.#known !== undefined) return this.#known
    const { path, source } = this.root
    const known = new Map<JsonValue, string>([[source, path]])
    // A map is read in the order in which it grows.
    for (const [node, at] of known)
      for (const [key, child] of Object.entries(node as JsonObject))
        if (typeof child === 'object' && child !== null && !known.has(child)) known.set(child, below(at, key))
    this.#known = known
    return known
  }
}

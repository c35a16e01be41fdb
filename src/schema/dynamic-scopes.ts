import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { DocumentNode, SchemaDocument } from './schema-document.js'

/** Where a walk through a schema has come through, as far as it decides what a `$dynamicRef` means. One object for each. */
export interface DynamicScope {
  /** Of the dynamic anchors of one name the outermost. */
  readonly anchors: ReadonlyMap<string, DocumentNode>
}

// Each scope is a copy of what is written in it. No schema in use has more than a few.
const MAX_SCOPES = 100

/** The keywords of a draft that refer. */
export const REFERENCES = { '7': ['$ref'], '2020-12': ['$ref', '$dynamicRef'] } as const

/** The references of one schema: which keyword, and where to. */
export function referencesOf(node: JsonObject, { draft }: SchemaDocument): [keyword: string, to: string][] {
  return REFERENCES[draft].flatMap(keyword => {
    const to = Object.hasOwn(node, keyword) ? node[keyword] : undefined
    return typeof to === 'string' ? [[keyword, to] as [string, string]] : []
  })
}

/** Follows references with the dynamic scope that they are met in. All references of the document must be known before. */
export class DynamicScopes {
  readonly none: DynamicScope = { anchors: new Map() }
  readonly #document: SchemaDocument
  readonly #order = new Map<DocumentNode, number>()
  readonly #scopes = new Map<string, DynamicScope>()
  readonly #used = new Set<string>()

  constructor(document: SchemaDocument) {
    this.#document = document
    for (const { node } of document.nodes) {
      if (typeof node !== 'object' || node === null || Array.isArray(node)) continue
      for (const [keyword, to] of referencesOf(node as JsonObject, document)) {
        const name = keyword === '$dynamicRef' && document.dynamicAnchor(to, node as JsonObject)
        if (name) this.#used.add(name)
      }
    }
  }

  /**
   * The scope inside a schema that is come to from another one.
   * @throws Error if the schema has more scopes than are worth telling apart.
   */
  enter(scope: DynamicScope, node: JsonValue): DynamicScope {
    if (this.#used.size === 0) return scope
    const added = [...this.#document.anchorsBeside(node)].filter(
      ([name]) => this.#used.has(name) && !scope.anchors.has(name),
    )
    return added.length === 0 ? scope : this.#interned(new Map([...scope.anchors, ...added]))
  }

  /** Where a reference leads in a scope. */
  resolve(
    [keyword, to]: readonly [string, string],
    from: JsonObject,
    scope: DynamicScope,
  ): DocumentNode | undefined {
    const name = keyword === '$dynamicRef' ? this.#document.dynamicAnchor(to, from) : undefined
    return (name === undefined ? undefined : scope.anchors.get(name)) ?? this.#document.resolve(to, from)
  }

  #interned(anchors: ReadonlyMap<string, DocumentNode>): DynamicScope {
    const key = [...anchors.values()]
      .map(at => this.#numbered(at))
      .sort()
      .join()
    let scope = this.#scopes.get(key)
    if (scope === undefined) {
      if (this.#scopes.size >= MAX_SCOPES) throw new Error('it has too many dynamic anchors to tell apart')
      scope = { anchors }
      this.#scopes.set(key, scope)
    }
    return scope
  }

  #numbered(at: DocumentNode): number {
    const number = this.#order.get(at) ?? this.#order.size
    this.#order.set(at, number)
    return number
  }
}

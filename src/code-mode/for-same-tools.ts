import type { RegisteredTool } from '../tools/tool-definition.js'

/** Lists that are kept: scopes that are asked in turn have each their own. */
const MOST_KEPT = 4

type Tools = readonly RegisteredTool[]

const areSame = (a: Tools, b: Tools): boolean =>
  a === b || (a.length === b.length && a.every((tool, i) => tool === b[i]))

/** Makes something of a list of tools, once for as long as the list stays the same: it comes again at every turn. */
export function forSameTools<T>(make: (tools: Tools) => T): (tools: Tools) => T {
  const kept: { readonly tools: Tools; readonly made: T }[] = []
  return tools => {
    const at = kept.findIndex(entry => areSame(entry.tools, tools))
    const entry = kept[at] ?? { tools, made: make(tools) }
    if (at !== 0) {
      if (at > 0) kept.splice(at, 1)
      kept.unshift(entry)
      kept.length = Math.min(kept.length, MOST_KEPT)
    }
    return entry.made
  }
}

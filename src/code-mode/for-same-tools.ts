import type { RegisteredTool } from '../tools/tool-definition.js'

/** Makes something of a list of tools, once for as long as the list stays the same: it comes again at every turn. */
export function forSameTools<T>(
  make: (tools: readonly RegisteredTool[]) => T,
): (tools: readonly RegisteredTool[]) => T {
  let last: { readonly tools: readonly RegisteredTool[]; readonly made: T } | undefined
  return tools => {
    const same = last?.tools.length === tools.length && last.tools.every((tool, i) => tool === tools[i])
    if (last === undefined || !same) last = { tools, made: make(tools) }
    return last.made
  }
}

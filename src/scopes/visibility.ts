import { createNameIndex, type NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { type Restriction, RUN_CODE_NAME, type ScopeNode } from './scope-node.js'

/** A mask that acts on a name: its scope, and which of its two rules it is. */
export interface Mask {
  readonly scope: ScopeNode
  readonly restriction: Restriction
  readonly rule: 'deny' | 'allow'
}

const existsAbove = (chain: readonly ScopeNode[], index: number, name: string): boolean => {
  for (let i = index + 1; i < chain.length; i++) if ((chain[i] as ScopeNode).tools.has(name)) return true
  return false
}

// What a scope inherits must be listed; what comes from below only if there is something above that it would bring back.
function maskAt(chain: readonly ScopeNode[], index: number, layer: number, name: string): Mask | undefined {
  const scope = chain[index] as ScopeNode
  if (index === layer) return undefined
  for (const restriction of scope.restrictions) {
    if (restriction.deny?.has(name)) return { scope, restriction, rule: 'deny' }
    const unlisted = restriction.allow !== undefined && !restriction.allow.has(name)
    if (unlisted && (index < layer || existsAbove(chain, index, name)))
      return { scope, restriction, rule: 'allow' }
  }
  return undefined
}

/**
 * The mask that hides layer `layer`'s tool from the scope `chain[0]`, if one does.
 *
 * A scope's masks act on everything it inherits. Its own tools are its own. What lies below it may not bring a masked name
 * back: a denied name, or one that exists above the mask and is not allowed there. A grant below the mask lifts it.
 */
export function maskOf(chain: readonly ScopeNode[], layer: number, name: string): Mask | undefined {
  for (let i = 0; i < chain.length; i++) {
    const scope = chain[i] as ScopeNode
    const mask = scope.restrictions.size > 0 ? maskAt(chain, i, layer, name) : undefined
    if (mask !== undefined) return mask
    if (scope.grants.has(name)) return undefined
  }
  return undefined
}

/** Every mask that acts on a layer's tool, nearest first: those that hide it, and those above a grant, which lifts them. */
export function masksOf(
  chain: readonly ScopeNode[],
  layer: number,
  name: string,
): { readonly hiding: readonly Mask[]; readonly lifted: readonly Mask[]; readonly grant?: ScopeNode } {
  const granting = chain.findIndex(scope => scope.grants.has(name))
  const hiding: Mask[] = []
  const lifted: Mask[] = []
  for (let i = 0; i < chain.length; i++) {
    const mask = maskAt(chain, i, layer, name)
    if (mask !== undefined) (granting >= 0 && i > granting ? lifted : hiding).push(mask)
  }
  const grant = lifted.length > 0 ? chain[granting] : undefined
  return { hiding, lifted, ...(grant && { grant }) }
}

/** The layer whose tool a scope sees under a name: the nearest that no mask hides; -1 for none. */
export function visibleLayer(chain: readonly ScopeNode[], name: string): number {
  for (let layer = 0; layer < chain.length; layer++)
    if ((chain[layer] as ScopeNode).tools.has(name) && maskOf(chain, layer, name) === undefined) return layer
  return -1
}

/** The tool that a scope sees under a name: the one answer for lookup, presentation and execution. */
export function resolveTool(node: ScopeNode, name: string): RegisteredTool | undefined {
  if (name === RUN_CODE_NAME) return node.mode === 'native' ? undefined : node.tree.runCode
  return node.memo(name, wanted => {
    const layer = visibleLayer(node.chain, wanted)
    return layer < 0 ? undefined : node.chain[layer]?.tools.get(wanted)
  })
}

/** All tools that a scope sees, root layer first, in order of registration; a shadow takes its predecessor's place. */
export function visibleTools(node: ScopeNode): RegisteredTool[] {
  const { chain } = node
  const seen = new Map<string, RegisteredTool>()
  for (let layer = chain.length - 1; layer >= 0; layer--)
    for (const [name, tool] of (chain[layer] as ScopeNode).tools)
      if (maskOf(chain, layer, name) === undefined) seen.set(name, tool)
  return [...seen.values()]
}

/** The same, made once for as long as nothing changes. */
export const visibleToolsKept = (node: ScopeNode): readonly RegisteredTool[] =>
  node.keepTools(() => Object.freeze(visibleTools(node)))

/** The names of the tools that a scope sees. */
export const visibleNames = (node: ScopeNode): NameIndex =>
  node.keepNames(() => createNameIndex(visibleTools(node).map(tool => tool.name)))

/** Every name on a chain, masked or not, the root's first: what a typo is told from. */
export function namesOn(chain: readonly ScopeNode[]): string[] {
  const names = new Set<string>()
  for (let i = chain.length - 1; i >= 0; i--)
    for (const name of (chain[i] as ScopeNode).tools.keys()) names.add(name)
  return [...names]
}

/** In mode `code` only `run_code` may be called directly. */
export function isCollapsed(node: ScopeNode, name: string): boolean {
  return name !== RUN_CODE_NAME && node.mode === 'code' && resolveTool(node, name) !== undefined
}

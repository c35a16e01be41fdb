import { nearestNames } from '../tools/nearest-names.js'
import { RUN_CODE_NAME, type ScopeNode } from './scope-node.js'
import { isCollapsed, knownNames, maskOf, visibleLayer } from './visibility.js'

/** Why a tool is or is not callable in a scope, as data and as a sentence. */
export interface ToolExplanation {
  readonly name: string
  readonly status: 'callable' | 'masked' | 'not-granted' | 'collapsed' | 'guarded' | 'unknown'
  /** The scope whose layer, mask, mode or guard decides. */
  readonly scope?: string
  /** The rule in that scope: `registered`, `deny`, `allow`, `mode`, a guard's name. */
  readonly by?: string
  /** Known names near to one that is unknown. */
  readonly suggestions: readonly string[]
  readonly text: string
}

const quoted = (names: readonly string[]): string => names.map(n => `"${n}"`).join(', ')

function explainRunCode(node: ScopeNode): ToolExplanation {
  const name = RUN_CODE_NAME
  if (node.mode !== 'native' && node.tree.runCode !== undefined)
    return {
      name,
      status: 'callable',
      scope: node.id,
      by: 'mode',
      suggestions: [],
      text: `"${name}" is Code Mode's own tool; scope "${node.id}" presents as "${node.mode}"`,
    }
  const text = `"${name}" is reserved for Code Mode, and scope "${node.id}" presents natively`
  return { name, status: 'unknown', scope: node.id, by: 'mode', suggestions: [], text }
}

function explainHidden(node: ScopeNode, name: string): ToolExplanation {
  const layer = node.chain.findIndex(scope => scope.tools.has(name))
  const mask = layer < 0 ? undefined : maskOf(node.chain, layer, name)
  if (mask === undefined) {
    const suggestions = nearestNames(
      name,
      knownNames(node).filter(n => visibleLayer(node.chain, n) >= 0),
    )
    const hint = suggestions.length > 0 ? `; near to it: ${quoted(suggestions)}` : ''
    return { name, status: 'unknown', suggestions, text: `Scope "${node.id}" knows no tool "${name}"${hint}` }
  }
  const by = mask.restriction.deny?.has(name) ? 'deny' : 'allow'
  const owner = node.chain[layer] as ScopeNode
  const rule =
    by === 'deny' ? `denies "${name}"` : `allows only ${quoted([...(mask.restriction.allow ?? [])])}`
  // The tool lies below the mask that hides it: only a grant could have brought it back.
  const below = node.chain.indexOf(mask.scope) > layer
  const text = below
    ? `"${name}" of scope "${owner.id}" is not callable: scope "${mask.scope.id}" above it ${rule}, and no scope between declares grants: ["${name}"]`
    : `"${name}" of scope "${owner.id}" is masked: scope "${mask.scope.id}" ${rule}`
  return { name, status: below ? 'not-granted' : 'masked', scope: mask.scope.id, by, suggestions: [], text }
}

/** Explains a name by layers, masks, grants and mode; guards are the caller's to add. */
export function explainVisibility(node: ScopeNode, name: string): ToolExplanation {
  if (name === RUN_CODE_NAME) return explainRunCode(node)
  const layer = visibleLayer(node.chain, name)
  if (layer < 0) return explainHidden(node, name)
  const owner = node.chain[layer] as ScopeNode
  if (isCollapsed(node, name)) {
    const by = node.chain.find(scope => scope.mode === 'code') ?? node
    const text = `"${name}" is reached through "${RUN_CODE_NAME}" only: scope "${node.id}" presents as "code"`
    return { name, status: 'collapsed', scope: by.id, by: 'mode', suggestions: [], text }
  }
  const shadowed = node.chain.slice(layer + 1).filter(scope => scope.tools.has(name))
  const granting = node.chain.slice(0, layer + 1).find(scope => scope.grants.has(name))
  const notes = [
    `"${name}" is callable: registered in scope "${owner.id}"`,
    ...(shadowed.length > 0 ? [`it shadows that of ${quoted(shadowed.map(s => s.id))}`] : []),
    ...(granting !== undefined ? [`granted by scope "${granting.id}"`] : []),
  ]
  return {
    name,
    status: 'callable',
    scope: owner.id,
    by: 'registered',
    suggestions: [],
    text: notes.join('; '),
  }
}

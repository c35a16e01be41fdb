import { quoteName } from '../errors/quote-name.js'
import { nearestNames } from '../tools/nearest-names.js'
import { RUN_CODE_NAME, type ScopeNode } from './scope-node.js'
import { type Mask, maskOf, masksOf, namesOn, visibleLayer } from './visibility.js'

/** Why a tool is or is not callable in a scope, as data and as a sentence. */
export interface ToolExplanation {
  readonly name: string
  readonly status: 'callable' | 'masked' | 'not-granted' | 'collapsed' | 'guarded' | 'unknown'
  /** The scope whose layer, mask, mode or guard decides. */
  readonly scope?: string
  /** The rule in that scope: `registered`, `deny`, `allow`, `mode`, a guard's name. */
  readonly by?: string
  /** The scope that the tool is registered in, whoever decides. */
  readonly layer?: string
  /** The scope whose grant lifts the masks that would hide the tool. */
  readonly grantedBy?: string
  /** The scopes whose tools of that name this one stands in front of, nearest first. */
  readonly shadows?: readonly string[]
  /** Names near to an unknown one that this scope can call. */
  readonly suggestions: readonly string[]
  readonly text: string
}

const quoted = (names: readonly string[]): string => names.map(quoteName).join(', ')
const idsOf = (scopes: readonly ScopeNode[]): string[] => scopes.map(scope => scope.id)

function ruleText({ scope, restriction, rule }: Mask, name: string): string {
  if (rule === 'deny') return `scope "${scope.id}" denies ${quoteName(name)}`
  const allowed = quoted([...(restriction.allow ?? [])])
  return `scope "${scope.id}" allows ${allowed === '' ? 'nothing' : `only ${allowed}`}`
}

const rulesText = (masks: readonly Mask[], name: string): string =>
  masks.map(mask => ruleText(mask, name)).join(', and ')

function explainRunCode({ id, mode, modeScope, tree }: ScopeNode): ToolExplanation {
  const name = RUN_CODE_NAME
  const decided = { name, scope: modeScope.id, by: 'mode', suggestions: [] }
  if (mode !== 'native' && tree.runCode !== undefined) {
    const text = `"${name}" is callable: it is Code Mode's own tool, and scope "${id}" presents as "${mode}" by scope "${modeScope.id}"`
    return { ...decided, status: 'callable', text }
  }
  const text = `"${name}" is reserved for Code Mode, and scope "${id}" presents natively by scope "${modeScope.id}"`
  return { ...decided, status: 'unknown', text }
}

function explainUnknown(node: ScopeNode, name: string): ToolExplanation {
  const callable = namesOn(node.chain).filter(n => visibleLayer(node.chain, n) >= 0)
  if (node.mode !== 'native') callable.push(RUN_CODE_NAME)
  const suggestions = nearestNames(name, callable)
  const hint = suggestions.length > 0 ? `; near to it: ${quoted(suggestions)}` : ''
  // A name may be denied before any tool has it.
  const denied = maskOf(node.chain, 0, name)
  const note = denied === undefined ? '' : `; ${ruleText(denied, name)}, so that none can be registered here`
  return {
    name,
    status: 'unknown',
    suggestions,
    text: `Scope "${node.id}" knows no tool ${quoteName(name)}${hint}${note}`,
  }
}

function explainHidden(node: ScopeNode, name: string, layer: number): ToolExplanation {
  const { chain } = node
  const owner = chain[layer] as ScopeNode
  const { hiding } = masksOf(chain, layer, name)
  const [first] = hiding as readonly [Mask]
  // The tool lies below the mask that hides it: only a grant could bring it back.
  const below = chain.indexOf(first.scope) > layer
  const rules = rulesText(hiding, name)
  return {
    name,
    status: below ? 'not-granted' : 'masked',
    scope: first.scope.id,
    by: first.rule,
    layer: owner.id,
    suggestions: [],
    text: below
      ? `${quoteName(name)} of scope "${owner.id}" is not granted: above it ${rules}, and no scope below that declares grants: [${quoteName(name)}]`
      : `${quoteName(name)} of scope "${owner.id}" is masked: ${rules}`,
  }
}

function explainVisible(node: ScopeNode, name: string, layer: number): ToolExplanation {
  const { chain } = node
  const owner = chain[layer] as ScopeNode
  const { lifted, grant } = masksOf(chain, layer, name)
  const shadowed = chain.filter(
    (scope, i) => i > layer && scope.tools.has(name) && maskOf(chain, i, name) === undefined,
  )
  const hidden = chain.filter((scope, i) => i < layer && scope.tools.has(name))
  const notes = [
    ...(shadowed.length > 0 ? [`it shadows that of ${quoted(idsOf(shadowed))}`] : []),
    ...(grant !== undefined ? [`granted by scope "${grant.id}" although ${rulesText(lifted, name)}`] : []),
    ...(hidden.length > 0 ? [`that of ${quoted(idsOf(hidden))} is not granted`] : []),
  ]
  const known = {
    name,
    layer: owner.id,
    ...(grant !== undefined && { grantedBy: grant.id }),
    ...(shadowed.length > 0 && { shadows: idsOf(shadowed) }),
    suggestions: [],
  }
  if (node.mode === 'code') {
    const by = node.modeScope.id
    const text = `${quoteName(name)} of scope "${owner.id}" is reached through "${RUN_CODE_NAME}" only: scope "${node.id}" presents as "code" by scope "${by}"`
    return { ...known, status: 'collapsed', scope: by, by: 'mode', text: [text, ...notes].join('; ') }
  }
  const text = `${quoteName(name)} is callable: registered in scope "${owner.id}"`
  return {
    ...known,
    status: 'callable',
    scope: owner.id,
    by: 'registered',
    text: [text, ...notes].join('; '),
  }
}

/** Explains a name by layers, masks, grants and mode; guards are the caller's to add. */
export function explainVisibility(node: ScopeNode, name: string): ToolExplanation {
  if (name === RUN_CODE_NAME) return explainRunCode(node)
  const visible = visibleLayer(node.chain, name)
  if (visible >= 0) return explainVisible(node, name, visible)
  const nearest = node.chain.findIndex(scope => scope.tools.has(name))
  return nearest < 0 ? explainUnknown(node, name) : explainHidden(node, name, nearest)
}

import { ToolgateError } from '../errors/toolgate-error.js'
import { didYouMean } from '../tools/nearest-names.js'
import { type Restriction, RUN_CODE_NAME, type ScopeNode } from './scope-node.js'

/** A mask over what a scope inherits: `allow` keeps only the listed names, `deny` removes them. */
export interface RestrictOptions {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** Every name that the scope inherits, masked or not. */
export function inheritedNames(node: ScopeNode): Set<string> {
  const names = new Set<string>()
  for (let i = node.chain.length - 1; i > 0; i--)
    for (const name of (node.chain[i] as ScopeNode).tools.keys()) names.add(name)
  return names
}

function nameSet(field: string, names: unknown): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
    throw new ToolgateError('INVALID_OPTIONS', `restrict: "${field}" must be an array of tool names`)
  return new Set(names)
}

/**
 * Checks a mask for a scope and copies it.
 * @throws ToolgateError `INVALID_OPTIONS`, `RESERVED_NAME`, or `UNKNOWN_TOOL_NAME` for names the scope does not inherit.
 */
export function createRestriction(node: ScopeNode, options: RestrictOptions): Restriction {
  if (node.isRoot)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      'restrict works on scopes only: the registry itself inherits nothing. Create a scope and restrict that',
    )
  if (typeof options !== 'object' || options === null)
    throw new ToolgateError('INVALID_OPTIONS', 'restrict takes { allow?, deny? }')
  const allow = nameSet('allow', options.allow)
  const deny = nameSet('deny', options.deny)
  if (allow === undefined && deny === undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      'restrict needs "allow" or "deny": an empty mask is an accident',
    )
  const named = [...(allow ?? []), ...(deny ?? [])]
  if (named.includes(RUN_CODE_NAME))
    throw new ToolgateError(
      'RESERVED_NAME',
      `restrict cannot name "${RUN_CODE_NAME}"; use mode or presentAs instead`,
    )
  const known = inheritedNames(node)
  const unknown = [...new Set(named.filter(name => !known.has(name)))]
  if (unknown.length > 0) {
    const sorted = [...known].sort()
    const shown =
      sorted.length > 50
        ? `${sorted.slice(0, 50).join(', ')} and ${sorted.length - 50} more`
        : sorted.join(', ')
    const hint = didYouMean(unknown[0] as string, sorted)
    throw new ToolgateError(
      'UNKNOWN_TOOL_NAME',
      `Scope "${node.id}" inherits no ${unknown.length === 1 ? 'tool' : 'tools'} ${unknown.map(n => `"${n}"`).join(', ')}.${hint} Inherited: ${shown || 'none'}`,
      { details: { unknown } },
    )
  }
  return { ...(allow && { allow }), ...(deny && { deny }) }
}

import { listedName, quoteName } from '../errors/quote-name.js'
import { ToolgateError } from '../errors/toolgate-error.js'
import { listOf } from '../json/list-of.js'
import { createNameIndex } from '../tools/name-index.js'
import { didYouMean } from '../tools/nearest-names.js'
import { type Restriction, RUN_CODE_NAME, type ScopeNode } from './scope-node.js'
import { namesOn, visibleLayer } from './visibility.js'

/**
 * A mask over what a scope inherits: `allow` keeps only the listed names, `deny` removes them. A name that a scope above
 * masks may be listed; that brings nothing back.
 */
export interface RestrictOptions {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

const OPTION_KEYS: readonly string[] = ['allow', 'deny']

function nameSet(field: string, given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined
  const names: unknown = Array.isArray(given) ? listOf(given) : undefined
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
    throw new ToolgateError('INVALID_OPTIONS', `restrict: "${field}" must be an array of tool names`)
  return new Set(names)
}

function listed(names: readonly string[]): string {
  const sorted = [...names].sort()
  if (sorted.length <= 50) return sorted.map(listedName).join(', ')
  return `${sorted.slice(0, 50).map(listedName).join(', ')} and ${sorted.length - 50} more`
}

/** A masked name is known: it may be named, which restores nothing, and counts once the mask above is lifted. */
function requireKnown(node: ScopeNode, names: readonly string[]): void {
  const [, ...above] = node.chain
  const known = namesOn(above)
  const inherited = new Set(known)
  const unknown = [...new Set(names)].filter(name => !inherited.has(name))
  if (unknown.length === 0) return
  const isMasked = (name: string): boolean => !node.grants.has(name) && visibleLayer(above, name) < 0
  const seen = listed(known.filter(name => !isMasked(name))) || 'none'
  const masked = listed(known.filter(isMasked))
  const what = `${unknown.length === 1 ? 'tool' : 'tools'} ${unknown.map(quoteName).join(', ')}`
  const hint = didYouMean(unknown[0] as string, createNameIndex(known))
  throw new ToolgateError(
    'UNKNOWN_TOOL_NAME',
    `Scope "${node.id}" inherits no ${what}.${hint} Inherited: ${seen}${masked && `; masked above: ${masked}`}`,
    { details: { unknown } },
  )
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
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ToolgateError('INVALID_OPTIONS', 'restrict takes { allow?, deny? }')
  // A misspelt rule must not leave a wider mask than was meant.
  const stray = Object.keys(options).find(key => !OPTION_KEYS.includes(key))
  if (stray !== undefined)
    throw new ToolgateError('INVALID_OPTIONS', `restrict has no option "${stray}"; it has allow, deny`)
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
  requireKnown(node, named)
  return { ...(allow && { allow }), ...(deny && { deny }) }
}

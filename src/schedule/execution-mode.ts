import { dropRejection } from '../events/event-hub.js'
import { listOf } from '../json/list-of.js'
import type { CallScope, PipelineHost } from '../pipeline/call-state.js'
import { findScope } from '../pipeline/find-scope.js'
import { usable } from '../pipeline/read-arguments.js'
import { isText, type ReadInput } from '../pipeline/read-input.js'

/**
 * Whether a call may overlap with others. An exclusive one runs alone. A parallel one overlaps with any that is not
 * exclusive; one with `resourceKeys` only with those whose keys differ from its own.
 */
export type ExecutionMode =
  | { readonly kind: 'exclusive' }
  | { readonly kind: 'parallel'; readonly resourceKeys?: readonly string[] }

/** More keys than this are no keys: the call runs alone. */
const MAX_KEYS = 10_000

const EXCLUSIVE: ExecutionMode = Object.freeze({ kind: 'exclusive' })
const PARALLEL: ExecutionMode = Object.freeze({ kind: 'parallel' })

/** Classifies a call by what its tool says of these arguments now. Whatever is in doubt is exclusive. */
export function executionModeOf(host: PipelineHost, from: CallScope, input: ReadInput): ExecutionMode {
  const { fields, fault } = input
  if (fault !== undefined || !isText(fields.name)) return EXCLUSIVE
  const scope = findScope(host, from, fields.scope)
  const tool = scope?.resolve(fields.name)
  if (scope === undefined || tool === undefined) return EXCLUSIVE
  if (fields.parent === undefined && scope.isCollapsed(fields.name)) return EXCLUSIVE
  const args = input.argumentsFor(tool)
  if (!args.ok) return EXCLUSIVE
  try {
    const safe = tool.isConcurrencySafe?.(usable(args.value))
    if (safe === true) return PARALLEL
    dropRejection(safe)
    const given = tool.resourceKeys?.(usable(args.value))
    dropRejection(given)
    if (!Array.isArray(given) || given.length > MAX_KEYS) return EXCLUSIVE
    // Read once, holes too.
    const keys: unknown[] = listOf(given)
    if (!keys.every(key => typeof key === 'string')) return EXCLUSIVE
    return Object.freeze({ kind: 'parallel', resourceKeys: Object.freeze(keys) })
  } catch {
    return EXCLUSIVE
  }
}

import { isRecord } from '../json/is-record.js'
import { DEFAULT_JSON_LIMITS, type JsonLimits } from '../json/json-limits.js'
import type { JsonValue } from '../json/json-value.js'
import { ownFields } from '../json/own-fields.js'
import { type SnapshotOutcome, trySnapshot } from '../json/snapshot-json.js'
import { type ContentBlock, contentFault } from '../tools/content-block.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import type { PostToolDecision, PreToolDecision } from './stages.js'

/** A decision that was checked, or what is wrong with it. */
export type ParsedDecision<D> = { readonly decision: D } | { readonly fault: string }

/** What `next()` ends in before the body. */
export const ALLOW: PreToolDecision = Object.freeze({ kind: 'allow' })

/** What `next()` ends in after the body. */
export const ACCEPT: PostToolDecision = Object.freeze({ kind: 'accept' })

function checked<D>(
  value: unknown,
  allowed: readonly string[],
  read: (fields: Readonly<Record<string, unknown>>) => D | string,
): ParsedDecision<D> {
  try {
    const fields = ownFields(value, allowed)
    const decision = typeof fields === 'string' ? fields : read(fields)
    return typeof decision === 'string' ? { fault: decision } : { decision }
  } catch {
    return { fault: 'cannot be read' }
  }
}

/** Checks a pre-execute decision by its exact union. */
export function parsePreDecision(value: unknown): ParsedDecision<PreToolDecision> {
  return checked<PreToolDecision>(value, ['kind', 'reason'], fields => {
    const { kind, reason } = fields
    if (kind === 'allow') return 'reason' in fields ? 'allows with a reason' : ALLOW
    if (kind === 'deny')
      return typeof reason === 'string' && reason !== '' ? { kind, reason } : 'denies without a reason'
    if (kind !== 'ask') return 'has a kind that is not "allow", "deny" or "ask"'
    if (reason === undefined) return { kind }
    return typeof reason === 'string' ? { kind, reason } : 'asks with a reason that is not text'
  })
}

/** What is wrong with a part of a stage's answer; what a getter of the host threw is not for the model. */
export const copyFault = (copy: Extract<SnapshotOutcome, { ok: false }>): string =>
  `is unusable: ${copy.thrown === undefined ? copy.message : `${copy.path} could not be read`}`

/** Copies content, or says what is wrong with it. */
export function copyContent(
  value: unknown,
  limits: JsonLimits,
  root: string,
): readonly ContentBlock[] | string {
  const copy = trySnapshot(value, limits, root)
  if (!copy.ok) return copyFault(copy)
  const fault = contentFault(copy.value, root)
  return fault === undefined ? (copy.value as unknown as readonly ContentBlock[]) : `is unusable: ${fault}`
}

function contextFault(context: JsonValue, at: string): string | undefined {
  if (!isRecord(context)) return `${at} must be an object`
  const { source, content, meta, ...rest } = context
  if (typeof source !== 'string' || source === '') return `${at}.source must be a non-empty string`
  const fault = content === undefined ? `${at}.content is missing` : contentFault(content, `${at}.content`)
  if (fault !== undefined) return fault
  if (meta !== undefined && !isRecord(meta)) return `${at}.meta must be an object`
  const [extra] = Object.keys(rest)
  return extra === undefined ? undefined : `${at} has an unexpected field "${extra}"`
}

/** Copies additional contexts, or says what is wrong with them. */
export function copyContexts(value: unknown, root: string): readonly AdditionalContext[] | string {
  const copy = trySnapshot(value, DEFAULT_JSON_LIMITS, root)
  if (!copy.ok) return copyFault(copy)
  if (!Array.isArray(copy.value)) return `is unusable: ${root} must be an array`
  for (const [i, context] of (copy.value as readonly JsonValue[]).entries()) {
    const fault = contextFault(context, `${root}[${i}]`)
    if (fault !== undefined) return `is unusable: ${fault}`
  }
  return copy.value as unknown as readonly AdditionalContext[]
}

/** Checks a post-execute decision by its exact union, and copies its content and contexts. `value` is the tool's schema's to check. */
export function parsePostDecision(value: unknown, limits: JsonLimits): ParsedDecision<PostToolDecision> {
  const allowed = ['kind', 'content', 'value', 'feedback', 'additionalContexts']
  return checked<PostToolDecision>(value, allowed, fields => {
    const { kind, content, feedback } = fields
    const copied =
      fields.additionalContexts === undefined
        ? undefined
        : copyContexts(fields.additionalContexts, 'additionalContexts')
    if (typeof copied === 'string') return copied
    const contexts = copied === undefined ? {} : { additionalContexts: copied }
    if (kind === 'block') {
      if ('content' in fields || 'value' in fields) return 'blocks and replaces at once'
      const copy = copyContent(feedback, limits, 'feedback')
      return typeof copy === 'string' ? copy : Object.freeze({ kind, feedback: copy, ...contexts })
    }
    if (kind !== 'accept') return 'has a kind that is not "accept" or "block"'
    if ('feedback' in fields) return 'accepts with feedback'
    if ('content' in fields && 'value' in fields) return 'replaces content and value at once'
    if ('value' in fields) return Object.freeze({ kind, value: fields.value as JsonValue, ...contexts })
    if (content === undefined) return Object.freeze({ kind, ...contexts })
    const copy = copyContent(content, limits, 'content')
    return typeof copy === 'string' ? copy : Object.freeze({ kind, content: copy, ...contexts })
  })
}

import { quoteName } from '../errors/quote-name.js'
import { isRecord } from '../json/is-record.js'
import { DEFAULT_JSON_LIMITS, type JsonLimits } from '../json/json-limits.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { ownFields } from '../json/own-fields.js'
import { type SnapshotOutcome, trySnapshot } from '../json/snapshot-json.js'
import { type ContentBlock, contentFault } from '../tools/content-block.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import type { FailureWords, PostToolDecision, PreToolDecision } from './stages.js'

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
  return extra === undefined ? undefined : `${at} has an unexpected field ${quoteName(extra)}`
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

type Fields = Readonly<Record<string, unknown>>

/** Copies an object, or says what is wrong with it. */
function copyObject(value: unknown, limits: JsonLimits, root: string): JsonObject | string {
  const copy = trySnapshot(value, limits, root)
  if (!copy.ok) return copyFault(copy)
  return isRecord(copy.value) ? copy.value : `is unusable: ${root} must be an object`
}

/** Copies other words for a failure, or says what is wrong with them. */
function copyWords(value: unknown, limits: JsonLimits): FailureWords | string {
  const words = copyObject(value, limits, 'error')
  if (typeof words === 'string') return words
  const { message, details, ...rest } = words
  const [extra] = Object.keys(rest)
  if (extra !== undefined) return `is unusable: error has an unexpected field ${quoteName(extra)}`
  if (message !== undefined && (typeof message !== 'string' || message === ''))
    return 'is unusable: error.message must be a non-empty string'
  if (details !== undefined && !isRecord(details)) return 'is unusable: error.details must be an object'
  return words
}

/** Copies the fields that are there, each with its own reader; the first fault ends it. */
function copyFields(
  fields: Fields,
  readers: { readonly [key: string]: (value: unknown) => object | string },
): { readonly [key: string]: object } | string {
  const copies: { [key: string]: object } = {}
  for (const [key, read] of Object.entries(readers)) {
    if (fields[key] === undefined) continue
    const copy = read(fields[key])
    if (typeof copy === 'string') return copy
    copies[key] = copy
  }
  return copies
}

const POST_FIELDS = [
  'kind',
  'content',
  'value',
  'error',
  'feedback',
  'meta',
  'additionalContexts',
  'ownContexts',
]

/** Checks a post-execute decision by its exact union, and copies all of it but `value`, which is the tool's schema's to check. */
export function parsePostDecision(value: unknown, limits: JsonLimits): ParsedDecision<PostToolDecision> {
  return checked<PostToolDecision>(value, POST_FIELDS, fields => {
    const { kind } = fields
    const copies = copyFields(fields, {
      additionalContexts: given => copyContexts(given, 'additionalContexts'),
      ownContexts: given => copyContexts(given, 'ownContexts'),
      meta: given => copyObject(given, limits, 'meta'),
    })
    if (typeof copies === 'string') return copies
    if (kind === 'block') {
      if ('content' in fields || 'value' in fields) return 'blocks and replaces at once'
      if ('error' in fields || 'ownContexts' in fields) return 'blocks and keeps at once'
      const feedback = copyContent(fields.feedback, limits, 'feedback')
      return typeof feedback === 'string' ? feedback : Object.freeze({ ...copies, kind, feedback })
    }
    if (kind !== 'accept') return 'has a kind that is not "accept" or "block"'
    if ('feedback' in fields) return 'accepts with feedback'
    if ('content' in fields && 'value' in fields) return 'replaces content and value at once'
    if ('error' in fields && 'value' in fields) return 'replaces value and error at once'
    if ('value' in fields) return Object.freeze({ ...copies, kind, value: fields.value as JsonValue })
    const words = copyFields(fields, {
      content: given => copyContent(given, limits, 'content'),
      error: given => copyWords(given, limits),
    })
    return typeof words === 'string' ? words : Object.freeze({ ...copies, ...words, kind })
  })
}

import { describeError } from '../../../errors/describe-error.js'
import { quoteName } from '../../../errors/quote-name.js'
import { ToolgateError } from '../../../errors/toolgate-error.js'
import type { JsonValue } from '../../../json/json-value.js'
import { knownDepth } from '../../../json/known-json.js'
import { trySnapshot } from '../../../json/snapshot-json.js'
import type { CodeCallReply } from '../../code-runtime.js'
import { jsonText } from './json-text.js'

type Properties = { readonly [name: string]: JsonValue }

// The first character of an answer, as the guest reads it.
const ANSWERED = '0'
const FAILED = '1'
const OVER_LIMIT = '2'
const TEXT = '3'
/** What the guest is told in the place of an answer for which it has no memory. */
export const TOO_LARGE = 4

// What the engine's strings of bytes do not carry as it is.
const NOT_PLAIN = /[\0\ud800-\udfff]/

// Deeper text does not fit the guest's parser on every runtime.
const REPLY_LIMITS = { maxDepth: 4000, maxNodes: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }

const failedText = (verdict: string, message: string, properties: Properties): string =>
  `${verdict}${JSON.stringify({ message, properties })}`

/** The answer of a call that fails with these words. */
export function failureReply(message: string, properties: Properties = {}): string {
  return failedText(FAILED, message, properties)
}

/** The answer of a call that the guest could not make: it knows why. */
export const UNMADE_REPLY: string = failedText(FAILED, '', {})

/** The answer of a call that is one too many. */
export function overLimitReply(message: string): string {
  return failedText(OVER_LIMIT, message, { code: 'LIMIT_EXCEEDED' })
}

/** The host's answer of a call as the text that crosses. An answer that JSON cannot carry becomes a failure. */
export function replyText(name: string, reply: CodeCallReply): string {
  const read = (value: unknown, root: string): string => {
    // What the pipeline has checked and copied is not walked once more.
    if (knownDepth(value) <= REPLY_LIMITS.maxDepth) return jsonText(value as JsonValue)
    const copied = trySnapshot(value, REPLY_LIMITS, root)
    if (copied.ok) return jsonText(copied.value)
    const message = `The answer of ${quoteName(name)} cannot cross to the program: ${copied.message}`
    throw new ToolgateError(
      copied.code === 'LIMIT_EXCEEDED' ? 'LIMIT_EXCEEDED' : 'INVALID_TOOL_OUTPUT',
      message,
    )
  }
  try {
    if (reply.ok && typeof reply.value === 'string' && !NOT_PLAIN.test(reply.value))
      return `${TEXT}${reply.value}`
    if (reply.ok) return `${ANSWERED}${reply.value === undefined ? '' : read(reply.value, 'value')}`
    const { message, properties = {} } = reply
    return `${FAILED}${read({ message: String(message), properties }, 'error')}`
  } catch (error) {
    return failureReply(describeError(error), error instanceof ToolgateError ? { code: error.code } : {})
  }
}

/** The answer that `replyText` or `failureReply` wrote. */
export function readReply(text: string): CodeCallReply {
  const body = text.slice(1)
  if (text[0] === TEXT) return { ok: true, value: body }
  if (text[0] === ANSWERED)
    return body === '' ? { ok: true } : { ok: true, value: JSON.parse(body) as JsonValue }
  return { ok: false, ...(JSON.parse(body) as { readonly message: string; readonly properties: Properties }) }
}

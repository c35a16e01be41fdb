import { ToolgateError } from '../errors/toolgate-error.js'
import { isRecord } from '../json/is-record.js'
import { DEFAULT_JSON_LIMITS } from '../json/json-limits.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { trySnapshot } from '../json/snapshot-json.js'
import type { CallId } from './call-id.js'
import type { ContentBlock } from './content-block.js'
import type {
  AdditionalContext,
  ToolExecutionResult,
  ToolFailure,
  ToolFailureError,
  ToolSuccess,
} from './tool-result.js'

type Identity = { readonly callId: CallId; readonly name: string }

/** What a result carries beside its outcome. Everything must be frozen already. */
export interface ResultExtras {
  readonly meta?: JsonObject | undefined
  readonly contexts?: readonly AdditionalContext[] | undefined
  readonly concludesTurn?: boolean | undefined
}

const frozenText = (text: string): readonly ContentBlock[] =>
  Object.freeze([Object.freeze({ type: 'text', text })])

/** A frozen success of frozen parts. */
export function successResult(
  call: Identity,
  value: JsonValue,
  content: readonly ContentBlock[],
  { meta, contexts, concludesTurn }: ResultExtras = {},
): ToolSuccess {
  const result: { -readonly [K in keyof ToolSuccess]: ToolSuccess[K] } = {
    callId: call.callId,
    name: call.name,
    isError: false,
    value,
    content,
  }
  if (meta !== undefined) result.meta = meta
  if (contexts !== undefined && contexts.length > 0) result.additionalContexts = Object.freeze([...contexts])
  if (concludesTurn) result.concludesTurn = true
  return Object.freeze(result)
}

/** A frozen failure of frozen parts; without `content` the model reads `Error: ` and the message. */
export function failureResult(
  call: Identity,
  error: ToolFailureError,
  { meta, contexts, content }: ResultExtras & { readonly content?: readonly ContentBlock[] } = {},
): ToolFailure {
  const result: { -readonly [K in keyof ToolFailure]: ToolFailure[K] } = {
    callId: call.callId,
    name: call.name,
    isError: true,
    error,
    content: content ?? frozenText(`Error: ${error.message}`),
  }
  if (meta !== undefined) result.meta = meta
  if (contexts !== undefined && contexts.length > 0) result.additionalContexts = Object.freeze([...contexts])
  return Object.freeze(result)
}

function read(error: ToolgateError, key: 'code' | 'name' | 'message' | 'details'): unknown {
  try {
    return error[key]
  } catch {
    return undefined
  }
}

// Their texts are there already, and what they say of a failure is needed most where there was most of it.
const DETAILS_LIMITS = { ...DEFAULT_JSON_LIMITS, maxBytes: Number.POSITIVE_INFINITY }

/** Details as the object that results have. */
export const asObject = (value: JsonValue): JsonObject => (isRecord(value) ? value : Object.freeze({ value }))

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback

/** An error as frozen result data, each field read once. Details that are not lossless JSON are left out. Total: never throws. */
export function failureError(error: ToolgateError): ToolFailureError {
  const given = read(error, 'details')
  const details = given === undefined ? undefined : trySnapshot(given, DETAILS_LIMITS, 'details')
  const data = {
    code: textOr(read(error, 'code'), 'TOOL_FAILED'),
    name: textOr(read(error, 'name'), 'ToolgateError'),
    message: textOr(read(error, 'message'), 'an error that cannot be shown as text'),
  }
  return Object.freeze(details?.ok ? { ...data, details: asObject(details.value) } : data)
}

/** The result of a call that failed with a coded error. */
export function failed(
  call: Identity,
  code: string,
  message: string,
  details?: unknown,
  extras?: ResultExtras,
): ToolExecutionResult {
  return failureResult(call, failureError(new ToolgateError(code, message, { details })), extras)
}

import { jsonErrorPosition } from '../json/json-error-position.js'
import type { JsonLimits } from '../json/json-limits.js'
import type { JsonValue } from '../json/json-value.js'
import { adoptParsed, mostBytesOf } from '../json/known-json.js'
import { type SnapshotOutcome, trySnapshot } from '../json/snapshot-json.js'

const NEGATIVE_ZERO = /-0(?![.\d]*[1-9])/

const EMPTY: SnapshotOutcome = Object.freeze({ ok: true, value: Object.freeze({}) })

function describeParseError(text: string): string {
  const at = jsonErrorPosition(text)
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = at - before.lastIndexOf('\n')
  const what =
    at >= text.length ? 'the text ends too early' : `unexpected ${JSON.stringify(text.slice(at, at + 12))}`
  const near = before.slice(-24)
  const after = near === '' ? '' : `, after ${JSON.stringify(near)}`
  return `arguments are not JSON: ${what} at position ${at} (line ${line}, column ${column})${after}. Send one complete JSON object`
}

function parseText(text: string, limits: JsonLimits): SnapshotOutcome {
  if (text.length > limits.maxBytes)
    return {
      ok: false,
      code: 'LIMIT_EXCEEDED',
      path: 'arguments',
      message: `arguments is past the limit of ${limits.maxBytes} bytes`,
    }
  let value: unknown
  try {
    // JSON has a negative zero and loses it when written again: it is taken as the zero it equals.
    value = NEGATIVE_ZERO.test(text)
      ? JSON.parse(text, (_key, item) => (item === 0 ? 0 : item))
      : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError)
      return { ok: false, code: 'ARGUMENTS_NOT_JSON', path: 'arguments', message: describeParseError(text) }
    // An engine whose parser recurses gave up on the depth.
    return { ok: false, code: 'LIMIT_EXCEEDED', path: 'arguments', message: 'arguments is nested too deeply' }
  }
  if (value === null) return EMPTY
  adoptParsed(value as JsonValue, mostBytesOf(text, false))
  return trySnapshot(value, limits, 'arguments')
}

/**
 * The arguments as a frozen snapshot. Text is parsed as it is, never repaired; missing, `null`, empty or blank is `{}`.
 */
export function readArguments(given: unknown, limits: JsonLimits): SnapshotOutcome {
  if (given === undefined || given === null) return EMPTY
  if (typeof given !== 'string') return trySnapshot(given, limits, 'arguments')
  return given.trim() === '' ? EMPTY : parseText(given, limits)
}

/** The arguments where they are known to be usable. */
export const usable = (args: JsonValue | undefined): JsonValue => args as JsonValue

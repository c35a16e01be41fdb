import { isRecord } from '../../../json/is-record.js'
import type { JsonValue } from '../../../json/json-value.js'
import { adoptOurs } from '../../../json/known-json.js'
import type { CodeFailureKind, CodeLog, CodeRunOutcome } from '../../code-runtime.js'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(text => typeof text === 'string')

/** All kinds of failures: a record, so that none is forgotten. */
const KINDS: { readonly [K in CodeFailureKind]: true } = {
  syntax: true,
  'source-limit': true,
  exception: true,
  'type-error': true,
  'timeout-cpu': true,
  'timeout-wall': true,
  memory: true,
  stack: true,
  'output-limit': true,
  'call-limit': true,
  'invalid-output': true,
  deadlock: true,
  abort: true,
  crash: true,
}
const isKind = (value: unknown): value is CodeFailureKind =>
  typeof value === 'string' && Object.hasOwn(KINDS, value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The outcome that a worker tells. `undefined` for what is none. */
export function readOutcome(text: string): CodeRunOutcome | undefined {
  const told = parsed(text)
  if (!isRecord(told) || !isTexts(told.logs)) return undefined
  const { value, logs, notAwaited, notRun, error } = told
  for (const names of [notAwaited, notRun]) if (names !== undefined && !isTexts(names)) return undefined
  const isError = isRecord(error) && isKind(error.kind) && typeof error.message === 'string'
  if (error !== undefined && !isError) return undefined
  return {
    ...(value !== undefined && { value: value as JsonValue }),
    logs,
    ...(isTexts(notAwaited) && { notAwaited }),
    ...(isTexts(notRun) && { notRun }),
    ...(isError && { error: { kind: error.kind as CodeFailureKind, message: error.message as string } }),
  }
}

/** The lines of one message, as `[level, text]` pairs. `undefined` for what is none. */
export function readLines(text: string): readonly CodeLog[] | undefined {
  const told = parsed(text)
  if (!Array.isArray(told) || !told.every(isTexts)) return undefined
  return told.map(([level, line]) => ({ level: level as CodeLog['level'], text: line ?? '' }))
}

/** Numbers of calls. `undefined` for what is none. */
export function readIds(text: string): readonly number[] | undefined {
  const told = parsed(text)
  return Array.isArray(told) && told.every(Number.isSafeInteger) ? told : undefined
}

/** Names, listed. `undefined` for what is none. */
export function readNames(text: string): readonly string[] | undefined {
  const told = parsed(text)
  return isTexts(told) ? told : undefined
}

/** The name and the arguments of a call. `undefined` for what is none. */
export function readCallBody(text: string): readonly [name: string, args: readonly JsonValue[]] | undefined {
  const told = parsed(text)
  if (!Array.isArray(told) || typeof told[0] !== 'string' || !Array.isArray(told[1])) return undefined
  const args = told[1] as readonly JsonValue[]
  adoptOurs(args, text)
  return [told[0], args]
}

import { describeError } from '../errors/describe-error.js'
import type { JsonLimits } from '../json/json-limits.js'
import type { SnapshotOutcome } from '../json/snapshot-json.js'
import { readArguments } from './read-arguments.js'

const FIELDS = ['callId', 'name', 'arguments', 'signal', 'scope', 'caller', 'parent', 'rootCallId'] as const

/** What a caller handed in, each field read once. */
export type InputFields = { readonly [K in (typeof FIELDS)[number]]?: unknown }

/** A call's input after its one reading; `fault` says why it cannot become a call. */
export interface ReadInput {
  readonly fields: InputFields
  readonly fault?: string
  /** The snapshot of the arguments, taken at most once. */
  arguments(): SnapshotOutcome
}

/** True for a string that is not empty. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** True for what can be used as an `AbortSignal`, of any realm. */
export function isSignal(value: unknown): value is AbortSignal {
  if (value instanceof AbortSignal) return true
  if (typeof value !== 'object' || value === null) return false
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>
  return (
    typeof aborted === 'boolean' &&
    typeof addEventListener === 'function' &&
    typeof removeEventListener === 'function'
  )
}

function fieldFault({ callId, name, signal, scope, parent, rootCallId }: InputFields): string | undefined {
  if (callId !== undefined && !isText(callId)) return 'its callId must be a non-empty string'
  if (!isText(name)) return 'its name must be a non-empty string'
  if (signal !== undefined && !isSignal(signal)) return 'its signal must be an AbortSignal'
  if (scope !== undefined && typeof scope !== 'string') return 'its scope must be the id of a scope'
  if (parent !== undefined && (typeof parent !== 'object' || parent === null))
    return 'its parent must be the token of a running call'
  if (rootCallId !== undefined && !isText(rootCallId)) return 'its rootCallId must be a non-empty string'
  return undefined
}

/** Reads each field once, even when it is an accessor; one that throws spoils the call, not the reading of the others. */
export function readInput(input: unknown, limits: JsonLimits): ReadInput {
  const fields: { -readonly [K in keyof InputFields]: unknown } = {}
  let fault: string | undefined
  if (typeof input !== 'object' || input === null) fault = 'it must be an object'
  else
    for (const key of FIELDS) {
      try {
        fields[key] = (input as InputFields)[key]
      } catch (error) {
        fault ??= `its ${key} could not be read: ${describeError(error)}`
      }
    }
  try {
    fault ??= fieldFault(fields)
  } catch (error) {
    fault = `it could not be read: ${describeError(error)}`
  }
  let snapshot: SnapshotOutcome | undefined
  return {
    fields,
    ...(fault !== undefined && { fault }),
    arguments() {
      snapshot ??= readArguments(fields.arguments, limits)
      return snapshot
    },
  }
}

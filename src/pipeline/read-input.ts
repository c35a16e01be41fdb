import { describeError } from '../errors/describe-error.js'
import type { JsonLimits } from '../json/json-limits.js'
import type { SnapshotOutcome } from '../json/snapshot-json.js'
import type { Coercion } from '../schema/coerce-value.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { RegisteredTool } from '../tools/tool-definition.js'
import { readArguments } from './read-arguments.js'

/** The arguments of a call, and what was changed in them for the tool. */
export type ToolArguments = SnapshotOutcome & { readonly changes?: readonly Coercion[] }

/** What a caller handed in, each field read once. */
export type InputFields = { readonly [K in keyof ToolExecutionInput]?: unknown }

/** True for a string that is not empty. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** True for what can be used as an `AbortSignal`, of any realm. */
export function isSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null) return false
  // An object that only has the prototype of one throws here.
  if (value instanceof AbortSignal) return typeof value.aborted === 'boolean'
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>
  return (
    typeof aborted === 'boolean' &&
    typeof addEventListener === 'function' &&
    typeof removeEventListener === 'function'
  )
}

function fieldFault(fields: InputFields): string | undefined {
  const { callId, name, truncated, signal, scope, parent, rootCallId } = fields
  if (callId !== undefined && !isText(callId)) return 'its callId must be a non-empty string'
  if (!isText(name)) return 'its name must be a non-empty string'
  if (truncated !== undefined && typeof truncated !== 'boolean') return 'its truncated must be true or false'
  if (signal !== undefined && !isSignal(signal)) return 'its signal must be an AbortSignal'
  if (scope !== undefined && typeof scope !== 'string') return 'its scope must be the id of a scope'
  if (parent !== undefined && (typeof parent !== 'object' || parent === null))
    return 'its parent must be the token of a running call'
  if (rootCallId !== undefined && !isText(rootCallId)) return 'its rootCallId must be a non-empty string'
  return undefined
}

// What was cut may read like a complete call: blank text, or a list with an item less.
const CUT_OFF: SnapshotOutcome = Object.freeze({
  ok: false,
  code: 'ARGUMENTS_NOT_JSON',
  path: 'arguments',
  message:
    'the output ended before its arguments were complete. Send the call again in full; if it is long, in smaller parts',
})

/** A call's input after its one reading. */
export class ReadInput {
  readonly fields: InputFields
  /** Why this cannot become a call. */
  readonly fault: string | undefined
  readonly #limits: JsonLimits
  #snapshot: SnapshotOutcome | undefined
  #coerced: { readonly tool: RegisteredTool; readonly args: ToolArguments } | undefined

  constructor(fields: InputFields, fault: string | undefined, limits: JsonLimits) {
    this.fields = fields
    this.fault = fault
    this.#limits = limits
  }

  /** The snapshot of the arguments, taken at most once. */
  arguments(): SnapshotOutcome {
    this.#snapshot ??=
      this.fields.truncated === true ? CUT_OFF : readArguments(this.fields.arguments, this.#limits)
    return this.#snapshot
  }

  /** The arguments as a tool gets them: by its schema's leave, where it asked for that. */
  argumentsFor(tool: RegisteredTool | undefined): ToolArguments {
    const given = this.arguments()
    if (!given.ok || tool?.coerce === undefined) return given
    if (this.#coerced?.tool !== tool) {
      const { value, changes } = tool.coerce(given.value, 'arguments')
      this.#coerced = { tool, args: { ok: true, value, changes } }
    }
    return this.#coerced.args
  }
}

const FIELDS = [
  'callId',
  'name',
  'arguments',
  'truncated',
  'signal',
  'scope',
  'caller',
  'parent',
  'rootCallId',
] as const

type MutableFields = { -readonly [K in keyof InputFields]: InputFields[K] }

// One statement for each field: that is how engines read them fast. `step` tells which one it was that threw.
function readFields(given: InputFields, into: MutableFields, step: { at: number }): void {
  into.callId = given.callId
  step.at = 1
  into.name = given.name
  step.at = 2
  into.arguments = given.arguments
  step.at = 3
  into.truncated = given.truncated
  step.at = 4
  into.signal = given.signal
  step.at = 5
  into.scope = given.scope
  step.at = 6
  into.caller = given.caller
  step.at = 7
  into.parent = given.parent
  step.at = 8
  into.rootCallId = given.rootCallId
}

// An accessor that throws spoils the call, not the reading of the fields after it.
function readRest(given: InputFields, into: MutableFields, from: number): void {
  for (const key of FIELDS.slice(from)) {
    try {
      into[key] = given[key]
    } catch {
      // The first fault is told.
    }
  }
}

const noFields = (): MutableFields => ({
  callId: undefined,
  name: undefined,
  arguments: undefined,
  truncated: undefined,
  signal: undefined,
  scope: undefined,
  caller: undefined,
  parent: undefined,
  rootCallId: undefined,
})

/** Reads each field once, even when it is an accessor. */
export function readInput(input: unknown, limits: JsonLimits): ReadInput {
  if (typeof input !== 'object' || input === null) return new ReadInput({}, 'it must be an object', limits)
  const fields = noFields()
  const step = { at: 0 }
  let fault: string | undefined
  try {
    readFields(input, fields, step)
  } catch (error) {
    fault = `its ${FIELDS[step.at]} could not be read: ${describeError(error)}`
    readRest(input, fields, step.at + 1)
  }
  try {
    fault ??= fieldFault(fields)
  } catch (error) {
    fault = `it could not be read: ${describeError(error)}`
  }
  return new ReadInput(fields, fault, limits)
}

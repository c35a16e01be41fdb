import { isRecord, sameJson } from '../wire/json.js'
import type { GooglePart } from './google-types.js'

/** A call as it stands in a part. */
export type GoogleCall = NonNullable<GooglePart['functionCall']>

/** The call in a part, if there is one. */
export function callOf(part: unknown): GoogleCall | undefined {
  const call = isRecord(part) ? part.functionCall : undefined
  return isRecord(call) ? (call as GoogleCall) : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const isEmpty = (call: GoogleCall): boolean => Object.values(call).every(value => value === undefined)

const argsOf = ({ args }: GoogleCall): unknown =>
  isRecord(args) && Object.keys(args).length === 0 ? undefined : args

/** A call that is still to come to its end; it stands where its first part stood. */
interface OpenCall {
  readonly at: number
  readonly id: string | undefined
  readonly pieces: unknown[]
  /** Two of its parts contradict each other, so it never ends. */
  isBroken: boolean
}

/** Puts parts that are pieces of one call together into one part, in pieces still. */
class CallJoiner {
  readonly parts: object[] = []
  readonly #open = new Set<OpenCall>()
  readonly #byId = new Map<string, OpenCall>()
  #hasJustEnded = false

  add(part: object): void {
    const call = callOf(part)
    if (call === undefined) {
      this.parts.push(part)
      return
    }
    // Some streams end a call with its last piece, and with an empty part as well.
    if (this.#hasJustEnded && isEmpty(call)) return
    this.#hasJustEnded = false
    const open = this.#continued(call)
    if (open === undefined) this.#start(part, call)
    else this.#join(open, part, call)
  }

  // A name begins a call. A part without name and id goes on with the one call that is open. If there are several, nobody
  // can tell whose it is, and none of them comes to its end.
  #continued(call: GoogleCall): OpenCall | undefined {
    const id = textOf(call.id)
    if (id !== undefined) return this.#byId.get(id)
    if (textOf(call.name) !== undefined) return undefined
    const [only] = this.#open
    if (this.#open.size < 2) return only
    this.#open.clear()
    this.#byId.clear()
    return undefined
  }

  #start(part: object, call: GoogleCall): void {
    const at = this.parts.push(part) - 1
    if (call.willContinue !== true) return
    const id = textOf(call.id)
    const pieces = Array.isArray(call.partialArgs) ? [...call.partialArgs] : []
    const open: OpenCall = { at, id, pieces, isBroken: false }
    this.#open.add(open)
    if (id !== undefined) this.#byId.set(id, open)
  }

  #join(open: OpenCall, part: object, call: GoogleCall): void {
    const before = this.parts[open.at] as object
    const known = callOf(before) as GoogleCall
    const [name, knownName] = [textOf(call.name), textOf(known.name)]
    const [args, knownArgs] = [argsOf(call), argsOf(known)]
    const pieces: unknown = call.partialArgs ?? []
    if (Array.isArray(pieces)) for (const piece of pieces) open.pieces.push(piece)
    open.isBroken ||=
      !Array.isArray(pieces) ||
      (name ?? knownName) !== (knownName ?? name) ||
      (args !== undefined && knownArgs !== undefined && !sameJson(args as never, knownArgs as never))
    const { willContinue, ...rest } = known
    const goesOn = call.willContinue === true
    this.parts[open.at] = {
      ...part,
      ...before,
      functionCall: {
        ...rest,
        ...(knownName === undefined && name !== undefined && { name }),
        ...(knownArgs === undefined && args !== undefined && { args }),
        partialArgs: open.pieces,
        ...((goesOn || open.isBroken) && { willContinue: true }),
      },
    }
    if (goesOn) return
    this.#open.delete(open)
    if (open.id !== undefined) this.#byId.delete(open.id)
    this.#hasJustEnded = true
  }
}

/**
 * The parts of a content, in which a call that was streamed in several parts is one: all its pieces in their order, and
 * `willContinue` where its end never came or its parts contradict each other. What is whole stays the same object.
 */
export function joinFunctionCalls(parts: readonly object[]): readonly object[] {
  const joiner = new CallJoiner()
  for (const part of parts) joiner.add(part)
  return joiner.parts
}

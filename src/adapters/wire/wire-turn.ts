import { ToolgateError } from '../../errors/toolgate-error.js'
import type { ToolExecutionInput } from '../../tools/tool-call.js'
import type { AdditionalContext, ToolExecutionResult } from '../../tools/tool-result.js'
import { quoted } from '../quoted.js'
import { readBlock, type WirePart } from './wire-part.js'

/** A call as it stands in a model's answer. Nothing about it is certain. */
export interface WireCall {
  /** Undefined where the provider gave none. */
  readonly id: string | undefined
  readonly wireName: string
  readonly arguments: unknown
  /** True if the answer was cut off where nobody can tell whether the arguments are whole. */
  readonly isCut: boolean
  /** What the provider made of the arguments that they cannot be read: told to the model beside the failure. */
  readonly problem?: string | undefined
}

/** The end of a call, before it has the provider's own shape. */
export interface WireAnswer {
  readonly call: WireCall
  /** The id that the call has here. */
  readonly callId: string
  readonly parts: readonly WirePart[]
  readonly isError: boolean
}

/** What was said beside the results, for the model to read after them. */
export interface WireRemark {
  readonly source: string
  readonly parts: readonly WirePart[]
}

/**
 * One answer of a model. `calls` are for `executeAll` or `execute`, `results` makes of what they return the messages that go
 * back: one for each call of the answer, in its order, whatever was executed.
 */
export interface WireTurn<Message> {
  /** What to append to the conversation first: the model's answer, each call with an id. */
  readonly reply: Message[]
  /** The calls to execute. One that was cut off is not among them. */
  readonly calls: readonly ToolExecutionInput[]
  /**
   * The messages that answer the calls. Additional contexts stand after them.
   * @throws ToolgateError `INVALID_OPTIONS` for the result of a call that is not in this turn.
   */
  results(results: readonly ToolExecutionResult[]): Message[]
}

const CUT =
  'Error: the answer ended before the arguments of this call were complete, so it did not run. Send the call again, with shorter arguments if they were long.'
const MISSING = 'Error: this call was not executed.'

interface Waiting extends WireCall {
  readonly callId: string
}

const textPart = (text: string): WirePart => ({ kind: 'text', text })

/** Gives each call an id of its own where it has none. */
export function identify(calls: readonly WireCall[], newId: () => string): readonly Waiting[] {
  return calls.map(call => ({ ...call, callId: call.id === undefined || call.id === '' ? newId() : call.id }))
}

/** Puts each result to its call: by id, and calls of one id in their order. */
export function answersOf(
  calls: readonly Waiting[],
  results: readonly ToolExecutionResult[],
): { readonly answers: readonly WireAnswer[]; readonly remarks: readonly WireRemark[] } {
  const byId = new Map<string, ToolExecutionResult[]>()
  for (const result of results) {
    const list = byId.get(result.callId) ?? []
    list.push(result)
    byId.set(result.callId, list)
  }
  const contexts: AdditionalContext[] = []
  const answers = calls.map((call): WireAnswer => {
    const { callId } = call
    if (call.isCut) return { call, callId, parts: [textPart(CUT)], isError: true }
    const result = byId.get(callId)?.shift()
    if (result === undefined) return { call, callId, parts: [textPart(MISSING)], isError: true }
    contexts.push(...(result.additionalContexts ?? []))
    const parts = result.content.map(readBlock)
    if (call.problem !== undefined) parts.push(textPart(`(As they were streamed: ${call.problem}.)`))
    return { call, callId, parts, isError: result.isError }
  })
  const foreign = [...byId].find(([, left]) => left.length > 0)?.[0]
  if (foreign !== undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `there is a result for ${quoted(foreign)}, which is no call of this turn`,
    )
  const remarks = contexts.map(({ source, content }) => ({ source, parts: content.map(readBlock) }))
  return { answers, remarks }
}

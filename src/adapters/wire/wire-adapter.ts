import { ToolgateError } from '../../errors/toolgate-error.js'
import type { ToolExecutionInput } from '../../tools/tool-call.js'
import { wellFormedJson } from '../well-formed-json.js'
import { type DecodePlan, decodeArguments } from './decode-plan.js'
import { PROVIDER_LIMITS, type ProviderName } from './provider-limits.js'
import { DefinitionMaker, type WireDefinition, type WireDefinitions } from './wire-definitions.js'
import type { WireFinding } from './wire-finding.js'
import { WireNames } from './wire-names.js'
import { readTools, type ToolSource } from './wire-tools.js'
import {
  answersOf,
  identify,
  type WireAnswer,
  type WireCall,
  type WireRemark,
  type WireTurn,
} from './wire-turn.js'

/** Options of every adapter. */
export interface WireOptions {
  /** Makes ids for calls that have none; each must be new. Default random. */
  readonly newCallId?: (() => string) | undefined
}

/** What makes an adapter for one provider of it. */
interface AdapterParts<Definition, Answer, Message> {
  readonly provider: ProviderName
  readonly strict: boolean
  define(definition: WireDefinition): Definition
  /** The calls of an answer, and the answer itself as it goes back, given the ids of its calls. */
  read(answer: Answer): { readonly calls: readonly WireCall[]; reply(ids: readonly string[]): Message[] }
  write(answers: readonly WireAnswer[], remarks: readonly WireRemark[]): Message[]
}

/**
 * A provider's wire: definitions out, calls in, results out. It reads its source anew each time, so tools may come and go, and
 * it keeps the names it has given, so a call to a tool that has gone is still read as a call to that tool.
 */
export interface WireAdapter<Definition, Answer, Message> {
  /** The tools for a request, by name; the same bytes for the same tools in whatever order they were registered. */
  tools(): Definition[]
  /** What is sent in another way than the tools have it, and what the provider would refuse. */
  findings(): readonly WireFinding[]
  /** Reads an answer of the model. */
  turn(answer: Answer): WireTurn<Message>
  /** The name that a tool has on the wire. */
  wireName(name: string): string
  /** The tool that a name on the wire means; a name that was never given out is itself. */
  toolName(wireName: string): string
}

const randomId = (): string => `call_${crypto.randomUUID()}`

/** Checks the options of an adapter, as all other options are checked. */
export function checkOptions(adapter: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new ToolgateError('INVALID_OPTIONS', `the options of ${adapter} must be an object`)
  const unknown = Object.keys(options).find(key => !known.includes(key))
  if (unknown !== undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `${adapter} has no option "${unknown}"; there are ${known.join(', ')}`,
    )
}

export function checkChoice<T>(
  adapter: string,
  option: string,
  given: T | undefined,
  choices: readonly T[],
): void {
  if (given !== undefined && !choices.includes(given))
    throw new ToolgateError(
      'INVALID_OPTIONS',
      `${adapter}: ${option} must be one of ${choices.map(choice => JSON.stringify(choice)).join(', ')}`,
    )
}

/** An adapter of its parts. */
export function createAdapter<Definition, Answer, Message>(
  source: ToolSource,
  parts: AdapterParts<Definition, Answer, Message>,
  { newCallId = randomId }: WireOptions,
): WireAdapter<Definition, Answer, Message> {
  const names = new WireNames(PROVIDER_LIMITS[parts.provider].names)
  const maker = new DefinitionMaker(parts.provider, names, parts.strict)
  const plans = new Map<string, DecodePlan | undefined>()
  const make = (): WireDefinitions => {
    const made = maker.make(readTools(source))
    for (const { wireName, plan } of made.definitions) plans.set(wireName, plan)
    return made
  }
  // What a model may call is known as soon as the adapter is, though a process that goes on with an old conversation reads before it writes.
  make()

  const input = ({
    callId,
    wireName,
    arguments: args,
  }: WireCall & { readonly callId: string }): ToolExecutionInput => ({
    callId,
    name: names.toName(wireName),
    arguments: decodeArguments(args, plans.get(wireName)),
  })
  return {
    tools: () => make().definitions.map(definition => wellFormedJson(parts.define(definition))),
    findings: () => make().findings,
    wireName: name => names.toWire(name),
    toolName: wireName => names.toName(wireName),
    turn(answer) {
      const read = parts.read(answer)
      const calls = identify(read.calls, newCallId)
      return {
        reply: read.reply(calls.map(({ callId }) => callId)),
        calls: calls.filter(({ isCut }) => !isCut).map(input),
        results(results) {
          const { answers, remarks } = answersOf(calls, results)
          return wellFormedJson(parts.write(answers, remarks))
        },
      }
    },
  }
}

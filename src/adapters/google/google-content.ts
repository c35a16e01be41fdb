import { isRecord, listOf } from '../wire/json.js'
import { PROVIDER_LIMITS } from '../wire/provider-limits.js'
import {
  checkChoice,
  checkOptions,
  createAdapter,
  type WireAdapter,
  type WireOptions,
} from '../wire/wire-adapter.js'
import { asMedia, type MediaPart, partInWords, remarkText } from '../wire/wire-part.js'
import type { ToolSource } from '../wire/wire-tools.js'
import type { WireAnswer, WireCall, WireRemark, WireTurn } from '../wire/wire-turn.js'
import { assembleArguments } from './assemble-arguments.js'
import type {
  GoogleAnswer,
  GoogleContent,
  GoogleFunction,
  GoogleInlineData,
  GoogleTool,
  GoogleUserContent,
} from './google-types.js'
import { callOf, joinFunctionCalls } from './join-function-calls.js'

/** Options of the adapter for Google. */
export interface GoogleOptions extends WireOptions {
  /**
   * `openapi`, the default: schemas go into `parameters`, a subset of OpenAPI 3.0 that every version of the API takes.
   * `json-schema`: they go into `parametersJsonSchema`, which keeps references, unions and closed objects.
   */
  readonly schema?: 'openapi' | 'json-schema' | undefined
  /** Where images, sounds and files of a result go: `beside` it, the default, or `inside`, which older models refuse. */
  readonly media?: 'beside' | 'inside' | undefined
}

/** The adapter for generateContent. */
export interface GoogleGenerateContent extends Omit<WireAdapter<GoogleTool, GoogleAnswer, object>, 'turn'> {
  /** Reads a response: its first candidate. All of it goes back, thought signatures included. */
  turn<Content extends GoogleContent>(response: GoogleAnswer<Content>): WireTurn<Content | GoogleUserContent>
}

const { media } = PROVIDER_LIMITS.google
// With any other reason, those still to come included, the model did not end of itself: its last call may be half of one.
const ENDED = ['undefined', 'STOP', 'FINISH_REASON_UNSPECIFIED']

/** A call in pieces, as far as they go: text that ends too early, so that it can never pass for arguments. */
const unfinished = (args: object): string => JSON.stringify(args).slice(0, -1)

interface ReadPart {
  /** The part as it goes back: a request may not hold a call in pieces. */
  readonly part: object
  readonly call: Omit<WireCall, 'isCut'> | undefined
  readonly isCut: boolean
}

function readPart(part: object): ReadPart {
  const found = callOf(part)
  if (found === undefined) return { part, call: undefined, isCut: false }
  const { partialArgs, willContinue, ...whole } = found
  const call = {
    id: typeof found.id === 'string' ? found.id : undefined,
    wireName: typeof found.name === 'string' ? found.name : '',
    arguments: found.args,
  }
  if (partialArgs === undefined && willContinue !== true) return { part, call, isCut: false }
  const { args, problem } = assembleArguments(found)
  const clean = { ...part, functionCall: { ...whole, args } }
  if (problem === undefined) return { part: clean, call: { ...call, arguments: args }, isCut: false }
  // Nothing of it has come, or what came was given whole: no text tells that it is not all.
  if (partialArgs === undefined || partialArgs.length === 0) return { part: clean, call, isCut: true }
  return { part: clean, call: { ...call, arguments: unfinished(args), problem }, isCut: false }
}

function readCalls(read: readonly ReadPart[], finishReason: string | undefined): WireCall[] {
  const isCutShort = !ENDED.includes(String(finishReason))
  return read.flatMap(({ call, isCut }, i) =>
    call === undefined ? [] : { ...call, isCut: isCut || (isCutShort && i === read.length - 1) },
  )
}

const inline = ({ mimeType, data }: MediaPart): GoogleInlineData => ({
  inlineData: { mimeType: media.audio[mimeType] ?? mimeType, data },
})

function writer(place: 'beside' | 'inside') {
  return (answers: readonly WireAnswer[], remarks: readonly WireRemark[]): GoogleUserContent[] => {
    const beside: GoogleUserContent['parts'] = []
    const results = answers.map(({ call, parts, isError }) => {
      const inside: GoogleInlineData[] = []
      const texts = parts.map(part => {
        const shown = asMedia(part, media)
        if (shown === undefined) return partInWords(part)
        if (place === 'inside') inside.push(inline(shown))
        else beside.push({ text: `The ${shown.kind} from a call of ${call.wireName}:` }, inline(shown))
        return `[${shown.kind}: ${shown.mimeType}, ${place === 'inside' ? 'in the parts of this' : 'after the results'}]`
      })
      const text = texts.join('\n')
      return {
        functionResponse: {
          ...(call.id !== undefined && call.id !== '' && { id: call.id }),
          name: call.wireName || 'unknown',
          response: isError ? { error: text } : { output: text },
          ...(inside.length > 0 && { parts: inside }),
        },
      }
    })
    const said = remarks.map(remark => ({ text: remarkText(remark) }))
    const parts = [...results, ...beside, ...said]
    return parts.length === 0 ? [] : [{ role: 'user', parts }]
  }
}

const hasProperties = (schema: object): boolean =>
  isRecord(schema) && isRecord(schema.properties) && Object.keys(schema.properties).length > 0

/**
 * Google's generateContent: tools for a request, calls out of a response, and one content with all results of a turn. Calls
 * without ids are answered without ids, in their order, as the API wants it.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function googleContent(source: ToolSource, options: GoogleOptions = {}): GoogleGenerateContent {
  checkOptions('googleContent', options, ['schema', 'media', 'newCallId'])
  checkChoice('googleContent', 'schema', options.schema, ['openapi', 'json-schema'])
  checkChoice('googleContent', 'media', options.media, ['beside', 'inside'])
  const isOpenApi = options.schema !== 'json-schema'
  const adapter = createAdapter<GoogleFunction, GoogleAnswer, object>(
    source,
    {
      provider: isOpenApi ? 'google' : 'google-json-schema',
      strict: false,
      define: ({ wireName, tool, parameters }) => ({
        name: wireName,
        description: tool.description,
        ...(hasProperties(parameters) && (isOpenApi ? { parameters } : { parametersJsonSchema: parameters })),
      }),
      read(response) {
        const candidate = listOf(response?.candidates)[0]
        const content = candidate?.content
        const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts : []
        const read = joinFunctionCalls(parts).map(readPart)
        const whole = { ...content, parts: read.map(({ part }) => part) }
        return {
          calls: readCalls(read, candidate?.finishReason),
          reply: () => (isRecord(content) && parts.length > 0 ? [{ role: 'model', ...whole }] : []),
        }
      },
      write: writer(options.media ?? 'beside'),
    },
    options,
  )
  const google: Omit<GoogleGenerateContent, 'turn'> & { turn: unknown } = {
    ...adapter,
    tools() {
      const functionDeclarations = adapter.tools()
      return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }]
    },
  }
  return google as GoogleGenerateContent
}

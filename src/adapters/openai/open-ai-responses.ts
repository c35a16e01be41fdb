import { isRecord, listOf } from '../wire/json.js'
import { PROVIDER_LIMITS } from '../wire/provider-limits.js'
import { createAdapter, type WireAdapter } from '../wire/wire-adapter.js'
import { asMedia, dataUrl, partInWords, remarkText, type WirePart } from '../wire/wire-part.js'
import type { ToolSource } from '../wire/wire-tools.js'
import type { WireAnswer, WireCall, WireRemark, WireTurn } from '../wire/wire-turn.js'
import { type OpenAiOptions, readStrict } from './open-ai-options.js'
import type {
  ResponsesAnswer,
  ResponsesCall,
  ResponsesCallOutput,
  ResponsesPart,
  ResponsesTool,
  ResponsesUserMessage,
} from './responses-types.js'

/** An item of an output as one of an input. OpenAI's own types do not take these two kinds back; no function tool makes one. */
export type ReturnedItem<Item extends object> = Exclude<
  Item,
  { readonly type: 'computer_call_output' | 'additional_tools' }
>

/** The adapter for Responses. */
export interface OpenAiResponses extends Omit<WireAdapter<ResponsesTool, ResponsesAnswer, object>, 'turn'> {
  /** Reads a response. All of its output goes back, reasoning included. */
  turn<Item extends object>(
    response: ResponsesAnswer<Item>,
  ): WireTurn<ReturnedItem<Item> | ResponsesCallOutput | ResponsesUserMessage>
}

// An output has no place for sounds.
const media = { ...PROVIDER_LIMITS.openai.media, audio: {} }

const isCall = (item: object): item is ResponsesCall => isRecord(item) && item.type === 'function_call'

function readCalls(output: readonly object[], status: ResponsesAnswer['status']): WireCall[] {
  const calls = output.filter(isCall)
  return calls.map((call, i) => {
    const unfinished = call.status === 'incomplete' || (status === 'incomplete' && i === calls.length - 1)
    return {
      id: typeof call.call_id === 'string' ? call.call_id : undefined,
      wireName: typeof call.name === 'string' ? call.name : '',
      arguments: call.arguments,
      isCut: unfinished && (typeof call.arguments !== 'string' || call.arguments.trim() === ''),
    }
  })
}

function withIds(output: readonly object[], ids: readonly string[]): object[] {
  let next = 0
  return output.map(item => {
    if (!isCall(item)) return item
    const id = ids[next++]
    return item.call_id === id ? item : { ...item, call_id: id }
  })
}

function writePart(part: WirePart): ResponsesPart {
  const shown = asMedia(part, media)
  if (shown === undefined) return { type: 'input_text', text: partInWords(part) }
  if (shown.kind === 'image') return { type: 'input_image', image_url: dataUrl(shown), detail: 'auto' }
  return { type: 'input_file', filename: shown.name, file_data: dataUrl(shown) }
}

function write(
  answers: readonly WireAnswer[],
  remarks: readonly WireRemark[],
): (ResponsesCallOutput | ResponsesUserMessage)[] {
  const outputs = answers.map(({ callId, parts }): ResponsesCallOutput => {
    const onlyText = parts.every(part => asMedia(part, media) === undefined)
    const output = onlyText ? parts.map(partInWords).join('\n') : parts.map(writePart)
    return { type: 'function_call_output', call_id: callId, output }
  })
  const said = remarks.map((remark): ResponsesPart => ({ type: 'input_text', text: remarkText(remark) }))
  return said.length === 0 ? outputs : [...outputs, { role: 'user', content: said }]
}

/**
 * OpenAI's Responses: tools for a request, calls out of a response, items of results. `strict` is always written out, since
 * the API takes a tool without it as strict.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function openAiResponses(source: ToolSource, options: OpenAiOptions = {}): OpenAiResponses {
  const strict = readStrict('openAiResponses', options)
  const adapter = createAdapter<ResponsesTool, ResponsesAnswer, object>(
    source,
    {
      provider: 'openai',
      strict,
      define: ({ wireName, tool, parameters, strict: isStrict }) => ({
        type: 'function',
        name: wireName,
        description: tool.description,
        parameters,
        strict: isStrict,
      }),
      read(response) {
        const output = listOf(response?.output)
        return { calls: readCalls(output, response?.status), reply: ids => withIds(output, ids) }
      },
      write,
    },
    options,
  )
  return adapter as OpenAiResponses
}

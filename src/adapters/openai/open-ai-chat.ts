import { isRecord, listOf } from '../wire/json.js'
import { PROVIDER_LIMITS } from '../wire/provider-limits.js'
import { createAdapter, type WireAdapter } from '../wire/wire-adapter.js'
import { asMedia, dataUrl, type MediaPart, partInWords, remarkText } from '../wire/wire-part.js'
import type { ToolSource } from '../wire/wire-tools.js'
import type { WireAnswer, WireCall, WireRemark, WireTurn } from '../wire/wire-turn.js'
import type {
  ChatAnswer,
  ChatPart,
  ChatReply,
  ChatTool,
  ChatToolCall,
  ChatToolMessage,
  ChatUserMessage,
} from './chat-types.js'
import { type OpenAiOptions, readStrict } from './open-ai-options.js'

/** The adapter for Chat Completions. */
export interface OpenAiChat extends Omit<WireAdapter<ChatTool, ChatAnswer, object>, 'turn'> {
  /** Reads a completion: its first choice. */
  turn<Message extends ChatReply>(
    completion: ChatAnswer<Message>,
  ): WireTurn<Message | ChatToolMessage | ChatUserMessage>
}

const { media } = PROVIDER_LIMITS.openai
const CUT_SHORT = ['length', 'content_filter']

// What was cut off within its text is no JSON. Where there is no text yet, or servers have made a value of it, nothing tells.
const mayBeCut = (args: unknown): boolean => typeof args !== 'string' || args.trim() === ''

// Calls of other kinds belong to whoever declared them.
const isFunctionCall = (call: object): call is ChatToolCall =>
  isRecord(call) && (call.type === 'function' || (call.type === undefined && isRecord(call.function)))

function readCalls(message: ChatReply, isCutShort: boolean): WireCall[] {
  const calls = listOf(message.tool_calls).filter(isFunctionCall)
  return calls.map(({ id, function: called }, i) => ({
    id: typeof id === 'string' ? id : undefined,
    wireName: typeof called?.name === 'string' ? called.name : '',
    arguments: called?.arguments,
    isCut: isCutShort && i === calls.length - 1 && mayBeCut(called?.arguments),
  }))
}

function withIds(message: ChatReply, ids: readonly string[]): ChatReply {
  if (!Array.isArray(message.tool_calls)) return message
  let next = 0
  const calls = listOf(message.tool_calls).map(call => {
    if (!isFunctionCall(call)) return call
    const id = ids[next++]
    return call.id === id ? call : { type: 'function', ...call, id }
  })
  return { ...message, tool_calls: calls }
}

function mediaPart(part: MediaPart): ChatPart {
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: dataUrl(part) } }
  if (part.kind === 'audio')
    return {
      type: 'input_audio',
      input_audio: { data: part.data, format: media.audio[part.mimeType] as 'wav' | 'mp3' },
    }
  return { type: 'file', file: { filename: part.name, file_data: dataUrl(part) } }
}

function write(
  answers: readonly WireAnswer[],
  remarks: readonly WireRemark[],
): (ChatToolMessage | ChatUserMessage)[] {
  const beside: ChatPart[] = []
  const messages = answers.map(({ call, callId, parts }): ChatToolMessage => {
    const texts = parts.map(part => {
      const shown = asMedia(part, media)
      if (shown === undefined) return partInWords(part)
      beside.push({ type: 'text', text: `The ${shown.kind} from the call ${callId} of ${call.wireName}:` })
      beside.push(mediaPart(shown))
      return `[${shown.kind}: ${shown.mimeType}, in the message after the results]`
    })
    return { role: 'tool', tool_call_id: callId, content: texts.join('\n') }
  })
  for (const remark of remarks) beside.push({ type: 'text', text: remarkText(remark) })
  return beside.length === 0 ? messages : [...messages, { role: 'user', content: beside }]
}

/**
 * OpenAI's Chat Completions, and what speaks its format: tools for a request, calls out of a completion, messages of results.
 * Tool messages hold text only, so images, sounds and files go into a user's message after them.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function openAiChat(source: ToolSource, options: OpenAiOptions = {}): OpenAiChat {
  const strict = readStrict('openAiChat', options)
  const adapter = createAdapter<ChatTool, ChatAnswer, object>(
    source,
    {
      provider: 'openai',
      strict,
      define: ({ wireName, tool, parameters, strict: isStrict }) => ({
        type: 'function',
        function: { name: wireName, description: tool.description, parameters, strict: isStrict },
      }),
      read(completion) {
        const choice = listOf(completion?.choices)[0]
        const message = choice?.message
        if (!isRecord(message)) return { calls: [], reply: () => [] }
        return {
          calls: readCalls(message, CUT_SHORT.includes(String(choice?.finish_reason))),
          reply: ids => [withIds(message, ids)],
        }
      },
      write,
    },
    options,
  )
  return adapter as OpenAiChat
}

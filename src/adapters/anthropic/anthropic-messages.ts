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
import type {
  AnthropicAnswer,
  AnthropicAssistantMessage,
  AnthropicDocument,
  AnthropicImage,
  AnthropicText,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
  AnthropicUserMessage,
} from './messages-types.js'

/** Options of the adapter for Anthropic. */
export interface AnthropicOptions extends WireOptions {
  /**
   * True: each tool whose schema allows it is sent as strict, in the order of names as far as a request may hold them;
   * `findings()` says which are not, and why. Default false: a request may hold few, and the first use of each is slow.
   */
  readonly strict?: boolean | undefined
}

/** The adapter for Messages. */
export interface AnthropicMessages extends Omit<WireAdapter<AnthropicTool, AnthropicAnswer, object>, 'turn'> {
  /** Reads a message. All of its content goes back, thinking included. */
  turn<Block extends object>(
    message: AnthropicAnswer<Block>,
  ): WireTurn<AnthropicAssistantMessage<Block> | AnthropicUserMessage>
}

type Shown = AnthropicText | AnthropicImage | AnthropicDocument

const { media } = PROVIDER_LIMITS.anthropic
const CUT_SHORT = ['max_tokens', 'model_context_window_exceeded', 'refusal']

// A member of a toolset, and a tool that the server runs, belong to whoever declared them.
const isCall = (block: object): block is AnthropicToolUse =>
  isRecord(block) && block.type === 'tool_use' && typeof block.toolset_name !== 'string'

function readCalls(content: readonly object[], stop_reason: AnthropicAnswer['stop_reason']): WireCall[] {
  const isCutShort = CUT_SHORT.includes(String(stop_reason))
  return content.filter(isCall).map(block => ({
    id: typeof block.id === 'string' ? block.id : undefined,
    wireName: typeof block.name === 'string' ? block.name : '',
    arguments: block.input,
    // The arguments are a value already: nothing in them tells that they were to go on.
    isCut: isCutShort && block === content.at(-1),
  }))
}

function reply(content: readonly object[], ids: readonly string[]): AnthropicAssistantMessage[] {
  let next = 0
  const blocks = content.map(block => {
    if (!isCall(block)) return block
    const id = ids[next++]
    return block.id === id ? block : { ...block, id }
  })
  return blocks.length === 0 ? [] : [{ role: 'assistant', content: blocks }]
}

function mediaBlock(part: MediaPart): AnthropicImage | AnthropicDocument {
  const { data, mimeType } = part
  if (part.kind === 'file')
    return {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data },
      title: part.name,
    }
  const media_type = mimeType as AnthropicImage['source']['media_type']
  return { type: 'image', source: { type: 'base64', media_type, data } }
}

const textBlocks = (text: string): AnthropicText[] => (text === '' ? [] : [{ type: 'text', text }])

function writeResult({ call, callId, parts, isError }: WireAnswer, beside: Shown[]): AnthropicToolResult {
  const shown = parts.map(part => asMedia(part, media))
  const base = { type: 'tool_result' as const, tool_use_id: callId, ...(isError && { is_error: true }) }
  if (shown.every(part => part === undefined)) {
    const content = parts.map(partInWords).join('\n')
    return content === '' ? base : { ...base, content }
  }
  // The content of an error must be text.
  if (isError) {
    const words = parts.map((part, i) => {
      const media = shown[i]
      if (media === undefined) return partInWords(part)
      beside.push({ type: 'text', text: `The ${media.kind} from the call ${callId} of ${call.wireName}:` })
      beside.push(mediaBlock(media))
      return `[${media.kind}: ${media.mimeType}, after the results]`
    })
    return { ...base, content: words.join('\n') }
  }
  const content = parts.flatMap((part, i): Shown[] => {
    const media = shown[i]
    return media === undefined ? textBlocks(partInWords(part)) : [mediaBlock(media)]
  })
  return { ...base, content }
}

function write(answers: readonly WireAnswer[], remarks: readonly WireRemark[]): AnthropicUserMessage[] {
  const beside: Shown[] = []
  const results = answers.map(answer => writeResult(answer, beside))
  const said = remarks.flatMap(remark => textBlocks(remarkText(remark)))
  const content = [...results, ...beside, ...said]
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

/**
 * Anthropic's Messages: tools for a request, calls out of a message, and one message with all results of a turn.
 * @throws ToolgateError `INVALID_OPTIONS`
 */
export function anthropicMessages(source: ToolSource, options: AnthropicOptions = {}): AnthropicMessages {
  checkOptions('anthropicMessages', options, ['strict', 'newCallId'])
  checkChoice('anthropicMessages', 'strict', options.strict, [true, false])
  const adapter = createAdapter<AnthropicTool, AnthropicAnswer, object>(
    source,
    {
      provider: 'anthropic',
      strict: options.strict ?? false,
      define: ({ wireName, tool, parameters, strict }) => ({
        name: wireName,
        description: tool.description,
        input_schema: { ...parameters, type: 'object' },
        ...(strict && { strict }),
      }),
      read(message) {
        const content = listOf(message?.content)
        return { calls: readCalls(content, message?.stop_reason), reply: ids => reply(content, ids) }
      },
      write,
    },
    options,
  )
  return adapter as AnthropicMessages
}

export type {
  ChatAnswer,
  ChatChunk,
  ChatPart,
  ChatReply,
  ChatStreamedCall,
  ChatStreamedMessage,
  ChatTool,
  ChatToolCall,
  ChatToolMessage,
  ChatUserMessage,
} from './adapters/openai/chat-types.js'
export { type ChatStreamed, collectChatStream } from './adapters/openai/collect-chat-stream.js'
export { type OpenAiChat, openAiChat } from './adapters/openai/open-ai-chat.js'
export type { OpenAiOptions } from './adapters/openai/open-ai-options.js'
export {
  type OpenAiResponses,
  openAiResponses,
  type ReturnedItem,
} from './adapters/openai/open-ai-responses.js'
export type {
  ResponsesAnswer,
  ResponsesCall,
  ResponsesCallOutput,
  ResponsesPart,
  ResponsesTool,
  ResponsesUserMessage,
} from './adapters/openai/responses-types.js'
export { type PreflightOptions, preflight } from './adapters/wire/preflight.js'
export type { ProviderName } from './adapters/wire/provider-limits.js'
export type { WireAdapter, WireOptions } from './adapters/wire/wire-adapter.js'
export type { WireFinding, WireRule } from './adapters/wire/wire-finding.js'
export type { ToolSource, WireTool } from './adapters/wire/wire-tools.js'
export type { WireTurn } from './adapters/wire/wire-turn.js'

export {
  type AnthropicMessages,
  type AnthropicOptions,
  anthropicMessages,
} from './adapters/anthropic/anthropic-messages.js'
export type {
  AnthropicAnswer,
  AnthropicAssistantMessage,
  AnthropicDocument,
  AnthropicImage,
  AnthropicText,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
  AnthropicUserMessage,
} from './adapters/anthropic/messages-types.js'
export { type PreflightOptions, preflight } from './adapters/wire/preflight.js'
export type { ProviderName } from './adapters/wire/provider-limits.js'
export type { WireAdapter, WireOptions } from './adapters/wire/wire-adapter.js'
export type { WireFinding, WireRule } from './adapters/wire/wire-finding.js'
export type { ToolSource, WireTool } from './adapters/wire/wire-tools.js'
export type { WireTurn } from './adapters/wire/wire-turn.js'

/** A tool of a Messages request. */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
  strict?: boolean
}

/** What is read of a call in a message. */
export interface AnthropicToolUse {
  readonly type: 'tool_use'
  readonly id?: string | null | undefined
  readonly name?: string | undefined
  readonly input?: unknown
  readonly toolset_name?: string | null | undefined
}

/** What is read of a message that a model has sent. */
export interface AnthropicAnswer<Block extends object = object> {
  readonly content: readonly Block[]
  readonly stop_reason?: string | null | undefined
}

/** Text. Never empty: the API refuses that. */
export interface AnthropicText {
  type: 'text'
  text: string
}

/** An image. */
export interface AnthropicImage {
  type: 'image'
  source: {
    type: 'base64'
    media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
    data: string
  }
}

/** A file. */
export interface AnthropicDocument {
  type: 'document'
  source: { type: 'base64'; media_type: 'application/pdf'; data: string }
  title: string
}

/** The answer to one call. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  content?: string | (AnthropicText | AnthropicImage | AnthropicDocument)[]
  is_error?: boolean
}

/** A model's message, as it goes back. */
export interface AnthropicAssistantMessage<Block extends object = object> {
  role: 'assistant'
  content: Block[]
}

/** The results of a turn, all in one message, and what was said beside them. */
export interface AnthropicUserMessage {
  role: 'user'
  content: (AnthropicToolResult | AnthropicText | AnthropicImage | AnthropicDocument)[]
}

/** A tool of a Chat Completions request. */
export interface ChatTool {
  type: 'function'
  function: {
    name: string
    description: string
    parameters: { [key: string]: unknown }
    strict: boolean
  }
}

/** A call in an assistant's message. */
export interface ChatToolCall {
  readonly id?: string | null | undefined
  readonly type?: string | undefined
  readonly function?: { readonly name?: string | undefined; readonly arguments?: unknown } | null | undefined
}

/** What is read of an assistant's message. */
export interface ChatReply {
  readonly tool_calls?: readonly object[] | null | undefined
}

/** What is read of a completion: the first choice. */
export interface ChatAnswer<Message extends ChatReply = ChatReply> {
  readonly choices: readonly {
    readonly message: Message
    readonly finish_reason?: string | null | undefined
  }[]
}

/** What is read of a chunk of a stream: the first choice. */
export interface ChatChunk {
  readonly choices?:
    | readonly {
        readonly index?: number | undefined
        readonly delta?: object | null | undefined
        readonly finish_reason?: string | null | undefined
      }[]
    | null
    | undefined
}

/** A call that was put together of chunks. */
export interface ChatStreamedCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** An assistant's message that was put together of chunks. */
export interface ChatStreamedMessage {
  role: 'assistant'
  content: string | null
  refusal?: string
  tool_calls?: ChatStreamedCall[]
}

/** The answer to one call. */
export interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** A part of a user's message. */
export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { filename: string; file_data: string } }

/** What tools show that no tool message may hold, and what was said beside the results. */
export interface ChatUserMessage {
  role: 'user'
  content: ChatPart[]
}

/** A tool of a Responses request. */
export interface ResponsesTool {
  type: 'function'
  name: string
  description: string
  parameters: { [key: string]: unknown }
  strict: boolean
}

/** What is read of a call in a response's output. */
export interface ResponsesCall {
  readonly type: 'function_call'
  readonly call_id?: string | null | undefined
  readonly name?: string | undefined
  readonly arguments?: unknown
  readonly status?: string | null | undefined
}

/** What is read of a response. */
export interface ResponsesAnswer<Item extends object = object> {
  readonly output: readonly Item[]
  readonly status?: string | null | undefined
}

/** A part of an output, or of a user's message. */
export type ResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/** The answer to one call. */
export interface ResponsesCallOutput {
  type: 'function_call_output'
  call_id: string
  output: string | ResponsesPart[]
}

/** What was said beside the results. */
export interface ResponsesUserMessage {
  role: 'user'
  content: ResponsesPart[]
}

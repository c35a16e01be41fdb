/** A schema in the words of OpenAPI 3.0. */
export interface GoogleSchema {
  description?: string
  [keyword: string]: unknown
}

/** A function that a model may call. A function without parameters has none of the two schemas. */
export interface GoogleFunction {
  name: string
  description: string
  parameters?: GoogleSchema
  parametersJsonSchema?: unknown
}

/** The tools of a request: all functions stand in one of them. */
export interface GoogleTool {
  functionDeclarations: GoogleFunction[]
}

/** What is read of a part of a model's content. */
export interface GooglePart {
  readonly text?: string | undefined
  readonly functionCall?:
    | {
        readonly id?: string | undefined
        readonly name?: string | undefined
        readonly args?: unknown
        readonly willContinue?: boolean | undefined
      }
    | undefined
}

/** What is read of a model's content. */
export interface GoogleContent {
  readonly role?: string | undefined
  readonly parts?: readonly object[] | undefined
}

/** What is read of a response: its first candidate. */
export interface GoogleAnswer<Content extends GoogleContent = GoogleContent> {
  readonly candidates?:
    | readonly { readonly content?: Content | undefined; readonly finishReason?: string | undefined }[]
    | undefined
}

/** Data in the request itself. */
export interface GoogleInlineData {
  inlineData: { mimeType: string; data: string }
}

/** The answer to one call. */
export interface GoogleFunctionResponse {
  functionResponse: {
    id?: string
    name: string
    response: { output: string } | { error: string }
    parts?: GoogleInlineData[]
  }
}

/** The results of a turn, all in one content, and what was said beside them. */
export interface GoogleUserContent {
  role: 'user'
  parts: (GoogleFunctionResponse | GoogleInlineData | { text: string })[]
}

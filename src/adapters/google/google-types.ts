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

/** A piece of the arguments of a streamed call, as `streamFunctionCallArguments` gives them. */
export interface GooglePartialArg {
  /** A JSON path to one value. */
  readonly jsonPath?: string | undefined
  readonly stringValue?: string | undefined
  readonly numberValue?: number | undefined
  readonly boolValue?: boolean | undefined
  readonly nullValue?: 'NULL_VALUE' | null | undefined
  /** Whether more of the same value follows. */
  readonly willContinue?: boolean | undefined
}

/** What is read of a part of a model's content. */
export interface GooglePart {
  readonly text?: string | undefined
  readonly functionCall?:
    | {
        readonly id?: string | undefined
        readonly name?: string | undefined
        readonly args?: unknown
        readonly partialArgs?: readonly GooglePartialArg[] | undefined
        /** Whether more parts of the same call follow. */
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

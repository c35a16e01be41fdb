import { assembleArguments } from './assemble-arguments.js'
import type { GoogleAnswer, GoogleContent, GooglePart } from './google-types.js'
import { callOf, joinFunctionCalls } from './join-function-calls.js'

/** What the chunks say of the whole response. */
const ABOUT = ['usageMetadata', 'promptFeedback', 'modelVersion', 'responseId', 'createTime'] as const

/** A response that was put together of chunks, with what they say of it, such as `usageMetadata`. */
export type GoogleStreamed<Chunk> = (Chunk extends GoogleAnswer<infer Content>
  ? GoogleAnswer<Content>
  : GoogleAnswer) & {
  readonly [Key in keyof Chunk &
    ('usageMetadata' | 'promptFeedback' | 'modelVersion' | 'responseId' | 'createTime')]: Chunk[Key]
}

// Text that is nothing else: a part with a signature, or one of a thought, must go back as it came.
const plainText = (part: object): string | undefined => {
  const { text } = part as GooglePart
  return typeof text === 'string' && Object.keys(part).length === 1 ? text : undefined
}

// A call whose pieces do not fit together stays in pieces: whoever reads it sees that it is none to run.
function assembled(part: object): object {
  const call = callOf(part)
  if (call?.partialArgs === undefined) return part
  const { args, problem } = assembleArguments(call)
  const { partialArgs, willContinue, ...rest } = call
  return problem === undefined ? { ...part, functionCall: { ...rest, args } } : part
}

/**
 * Makes one response of the chunks of a stream: the parts of all first candidates in their order, plain text that follows on
 * plain text put together, the pieces of a streamed call (`streamFunctionCallArguments`) as one call, and the last reason for
 * which the model stopped. A call whose pieces do not fit together keeps its `partialArgs`; `turn` lets it fail.
 */
export async function collectGoogleStream<Chunk extends GoogleAnswer>(
  chunks: AsyncIterable<Chunk>,
): Promise<GoogleStreamed<Chunk>> {
  const about: { [key: string]: unknown } = {}
  const parts: object[] = []
  let head: GoogleContent | undefined
  let finishReason: string | undefined
  for await (const chunk of chunks) {
    for (const key of ABOUT) {
      const value = (chunk as { readonly [Key in (typeof ABOUT)[number]]?: unknown })[key]
      if (value !== undefined && value !== null) about[key] = value
    }
    const candidate = chunk.candidates?.[0]
    finishReason = candidate?.finishReason ?? finishReason
    const { content } = candidate ?? {}
    head ??= content
    for (const part of content?.parts ?? []) {
      const before = parts.at(-1)
      const [text, textBefore] = [plainText(part), before && plainText(before)]
      if (text !== undefined && textBefore !== undefined)
        parts[parts.length - 1] = { text: textBefore + text }
      else parts.push(part)
    }
  }
  const whole = joinFunctionCalls(parts).map(assembled)
  const content = head && { ...head, parts: whole }
  const candidate = { ...(content && { content }), ...(finishReason !== undefined && { finishReason }) }
  return { ...about, candidates: [candidate] } as unknown as GoogleStreamed<Chunk>
}

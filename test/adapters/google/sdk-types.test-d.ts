// What the adapter writes is what Google's SDK takes, and what the SDK gives is what the adapter reads.
import type { Content, GenerateContentResponse, Tool } from '@google/genai'
import { createToolRegistry } from 'toolgate'
import { collectGoogleStream, googleContent } from 'toolgate/google'

declare const response: GenerateContentResponse
declare const stream: AsyncGenerator<GenerateContentResponse>

const registry = createToolRegistry()
const wire = googleContent(registry)
const turn = wire.turn(response)
const tools: Tool[] = wire.tools()
const contents: Content[] = [...turn.reply, ...turn.results([])]
const whole = await collectGoogleStream(stream)
const collected: Content[] = wire.turn(whole).reply
const tokens: number | undefined = whole.usageMetadata?.totalTokenCount
// @ts-expect-error: the getters of the SDK's class are not put together
const text: unknown = whole.text

// @ts-expect-error: there is no such place
googleContent(registry, { media: 'above' })

export const used: unknown[] = [tools, contents, collected, tokens, text]

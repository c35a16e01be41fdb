import { type Content, GoogleGenAI } from '@google/genai'
import { createToolRegistry, type ToolExecutionInput } from 'toolgate'
import { collectGoogleStream, googleContent } from 'toolgate/google'
import { expect } from 'vitest'
import { type CountedTool, countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'

export const chunk = (functionCall: object, rest: object = {}, finishReason?: string): object => ({
  candidates: [
    { content: { role: 'model', parts: [{ functionCall, ...rest }] }, ...(finishReason && { finishReason }) },
  ],
})
/** A piece of a call that goes on. */
export const piece = (...partialArgs: object[]): object => chunk({ partialArgs, willContinue: true })
export const text = (jsonPath: string, stringValue: string, willContinue?: true): object => ({
  jsonPath,
  stringValue,
  ...(willContinue && { willContinue }),
})
export const begin = (name = 'echo', rest: object = {}): object => chunk({ name, willContinue: true }, rest)
export const END: object = chunk({}, {}, 'STOP')
export const STOPPED: object = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
}

const toolConfig = { functionCallingConfig: { streamFunctionCallArguments: true } }

/** What came of a stream. */
export interface RoundTrip {
  /** The parts that `collectGoogleStream` gave. */
  readonly collected: any[]
  /** What the second request has after the question. */
  readonly sent: any[]
  readonly calls: readonly ToolExecutionInput[]
  /** How each call ended. */
  readonly codes: (string | undefined)[]
  readonly echo: CountedTool
}

/** Streams the chunks through Google's SDK, executes the calls, and sends the results back through it. */
export async function roundTrip(
  chunks: readonly object[],
  { collect = true }: { readonly collect?: boolean } = {},
): Promise<RoundTrip> {
  const echo = countedTool('echo', args => JSON.stringify(args))
  const registry = createToolRegistry({ tools: [echo] })
  const codes: (string | undefined)[] = []
  registry.on('result', ({ result }) => codes.push(result.isError ? result.error.code : undefined))
  const wire = googleContent(registry)
  const server = await loopback([{ events: chunks }, STOPPED, STOPPED])
  const httpOptions = { baseUrl: server.origin }
  // Only the platform streams arguments; the developer API must take the conversation all the same.
  const platform = new GoogleGenAI({ vertexai: true, apiKey: 'none', httpOptions })
  const developer = new GoogleGenAI({ apiKey: 'none', httpOptions })
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Go on' }] }]
  const stream = await platform.models.generateContentStream({
    model: 'fake',
    contents,
    config: { tools: wire.tools(), toolConfig },
  })
  const parts: object[] = []
  async function* kept() {
    for await (const answer of stream) {
      parts.push(...(answer.candidates?.[0]?.content?.parts ?? []))
      yield answer
    }
  }
  const collected = await collectGoogleStream(kept())
  const whole = { candidates: [{ content: { role: 'model', parts } as Content, finishReason: 'STOP' }] }
  const turn = wire.turn(collect ? collected : whole)
  const results = await registry.executeAll(turn.calls)
  contents.push(...turn.reply, ...turn.results(results))
  await developer.models.generateContent({ model: 'fake', contents })
  await platform.models.generateContent({ model: 'fake', contents })
  expect(server.requests[0]?.body.toolConfig).toEqual(toolConfig)
  return {
    collected: (collected.candidates?.[0]?.content?.parts ?? []) as any[],
    sent: server.requests[1]?.body.contents.slice(1) as any[],
    calls: turn.calls,
    codes,
    echo,
  }
}

export const answers = ({ sent }: { sent: any[] }): any[] =>
  sent[1].parts.map(({ functionResponse }: any) => functionResponse.response)

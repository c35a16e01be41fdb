import { MockLanguageModelV4 } from 'ai/test'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
export const DONE: readonly object[] = [{ type: 'text', text: 'Done.' }]

export const call = (toolCallId: string, toolName: string, input: string, rest: object = {}): object => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
  ...rest,
})

const reasonOf = (content: readonly object[]): object => ({
  unified: content.some(part => (part as any).type === 'tool-call') ? 'tool-calls' : 'stop',
  raw: undefined,
})

/** The parts of a step as they stream: the input of a call comes letter by letter. */
function* streamed(content: readonly object[]): Generator<object> {
  yield { type: 'stream-start', warnings: [] }
  for (const [i, part] of content.entries()) {
    const { type, text, toolCallId: id, toolName, input } = part as any
    if (type === 'text') {
      yield { type: 'text-start', id: String(i) }
      yield { type: 'text-delta', id: String(i), delta: text }
      yield { type: 'text-end', id: String(i) }
      continue
    }
    if (type === 'tool-call') {
      yield { type: 'tool-input-start', id, toolName }
      for (const delta of input) yield { type: 'tool-input-delta', id, delta }
      yield { type: 'tool-input-end', id }
    }
    yield part
  }
  yield { type: 'finish', finishReason: reasonOf(content), usage }
}

/** A model that answers with these steps, whole or streamed. */
export function modelOf(...steps: (readonly object[])[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: steps.map(content => ({
      content,
      finishReason: reasonOf(content),
      usage,
      warnings: [],
    })) as any,
    doStream: steps.map(content => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of streamed(content)) controller.enqueue(part)
          controller.close()
        },
      }),
    })) as any,
  })
}

/** What the model was told of each call, in its last request. */
export function toldTo(model: MockLanguageModelV4): { readonly [toolName: string]: any } {
  const calls: readonly { prompt: readonly any[] }[] =
    model.doGenerateCalls.length > 0 ? model.doGenerateCalls : model.doStreamCalls
  const parts = calls.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])) ?? []
  return Object.fromEntries(parts.map((part: any) => [part.toolName, part.output]))
}

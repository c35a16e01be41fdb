import { isRecord, listOf, setOwn } from '../wire/json.js'
import type { ChatAnswer, ChatChunk, ChatStreamedCall, ChatStreamedMessage } from './chat-types.js'

/** What the chunks say of the whole answer. */
const ABOUT = ['id', 'created', 'model', 'usage', 'service_tier', 'system_fingerprint'] as const

/** A completion that was put together of chunks, with what they say of it, such as `usage`. */
export type ChatStreamed<Chunk> = ChatAnswer<ChatStreamedMessage> & {
  readonly [Key in keyof Chunk &
    ('id' | 'created' | 'model' | 'usage' | 'service_tier' | 'system_fingerprint')]: Chunk[Key]
}

type Draft = { [key: string]: unknown }
interface Call {
  id: string
  name: string
  arguments: unknown
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Calls in the order in which they begin. */
class CallCollector {
  readonly #calls: Call[] = []
  readonly #byIndex = new Map<unknown, Call>()

  add(delta: unknown): void {
    if (!isRecord(delta)) return
    const called = isRecord(delta.function) ? delta.function : {}
    const call = this.#callOf(delta.index, text(delta.id), text(called.name))
    call.id ||= text(delta.id)
    call.name ||= text(called.name)
    const { arguments: args } = called
    if (typeof args === 'string' && typeof call.arguments === 'string') call.arguments += args
    else if (args !== undefined && args !== null) call.arguments = args
  }

  // Some servers give one index to all calls, or none at all: another id is another call.
  #callOf(index: unknown, id: string, name: string): Call {
    const known = this.#byIndex.get(index)
    const begins = id !== '' ? id !== known?.id && known?.id !== '' : index === undefined && name !== ''
    if (known !== undefined && !begins) return known
    const call: Call = { id, name, arguments: '' }
    this.#calls.push(call)
    this.#byIndex.set(index, call)
    return call
  }

  get calls(): ChatStreamedCall[] {
    return this.#calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args as string },
    }))
  }
}

/**
 * Makes one completion of the chunks of a stream, of `create({ stream: true })`: the first choice, its words and calls put
 * together, and the reason for which the model stopped. Unlike the helper of the SDK it leaves the arguments of strict tools as
 * they are, so that an answer that was cut off is one that `turn` reads. A stream without a reason has been cut off.
 */
export async function collectChatStream<Chunk extends ChatChunk>(
  chunks: AsyncIterable<Chunk>,
): Promise<ChatStreamed<Chunk>> {
  const about: Draft = {}
  const message: Draft = { role: 'assistant', content: null }
  const collector = new CallCollector()
  let finishReason: string | null | undefined
  for await (const chunk of chunks) {
    for (const key of ABOUT) {
      const value = isRecord(chunk) ? chunk[key] : undefined
      if (value !== undefined && value !== null) about[key] = value
    }
    const choice = listOf(chunk?.choices).find(({ index }) => (index ?? 0) === 0)
    finishReason = choice?.finish_reason ?? finishReason
    if (!isRecord(choice?.delta)) continue
    for (const [key, value] of Object.entries(choice.delta)) {
      if (key === 'tool_calls') for (const delta of listOf(value as readonly unknown[])) collector.add(delta)
      else if (key === 'role' || value === null || value === undefined) continue
      // Fields that only some servers have go on as the words do.
      else setOwn(message, key, typeof value === 'string' ? text(message[key]) + value : value)
    }
  }
  const { calls } = collector
  if (calls.length > 0) message.tool_calls = calls
  const choices = [{ message, finish_reason: finishReason ?? 'length' }]
  return { ...about, choices } as unknown as ChatStreamed<Chunk>
}

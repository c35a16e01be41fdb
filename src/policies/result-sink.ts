import type { JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolCall } from '../tools/tool-call.js'
import { dropRejection } from './drop-rejection.js'
import { utf8Bytes } from './utf8.js'

/** All of a result that is cut: what the model would have read, and the value if the call succeeded. */
export interface WholeResult {
  readonly content: readonly ContentBlock[]
  readonly value?: JsonValue
}

/**
 * Keeps a whole result and answers a handle to it, such as a URI, which the model then reads; nothing if it was not kept. A
 * handle has at most 512 UTF-8 bytes, and no more than a fourth of the budget.
 */
export type ResultSink = (
  call: ToolCall,
  whole: WholeResult,
) => string | undefined | Promise<string | undefined>

/** Hears why a whole result was not kept. */
export type SinkErrorListener = (error: unknown, call: ToolCall) => unknown

/** How a sink is asked. */
export interface SinkTerms {
  readonly sink: ResultSink
  readonly sinkMs: number
  readonly mostOfAHandle: number
  readonly onSinkError: SinkErrorListener | undefined
}

/** What a sink answered in time; never rejects, and nothing that comes later is a rejection of the process. */
function answerOf({ sink, sinkMs }: SinkTerms, call: ToolCall, whole: WholeResult): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal } = call
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (end: () => void): void => {
      if (timer !== undefined) clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const onAbort = (): void => finish(() => reject(signal.reason))
    const pending = Promise.resolve(sink(call, whole))
    pending.then(
      answer => finish(() => resolve(answer)),
      error => finish(() => reject(error)),
    )
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    if (sinkMs !== Number.POSITIVE_INFINITY)
      timer = setTimeout(() => {
        const late = new Error(`The sink had not answered after ${sinkMs} ms; what it keeps is not named`)
        finish(() => reject(late))
      }, sinkMs)
  })
}

function usableHandle(answer: unknown, mostOfAHandle: number): string | undefined {
  if (answer === undefined) return undefined
  if (typeof answer !== 'string' || answer === '')
    throw new Error('The sink answered no handle: a text that is not empty, or undefined')
  if (utf8Bytes(answer) > mostOfAHandle)
    throw new Error(`The sink answered a handle of more than ${mostOfAHandle} bytes`)
  return answer
}

/**
 * Hands a whole result to a sink and waits for its handle, no longer than it may take and not past an abort. Whatever the sink
 * does, this resolves: to nothing where nothing is known to be kept.
 */
export async function keepWhole(
  terms: SinkTerms,
  call: ToolCall,
  whole: WholeResult,
): Promise<string | undefined> {
  try {
    return usableHandle(await answerOf(terms, call, Object.freeze(whole)), terms.mostOfAHandle)
  } catch (error) {
    try {
      dropRejection(terms.onSinkError?.(error, call))
    } catch {}
    return undefined
  }
}

const NEWLINE = 10
const RETURN = 13

/** Bytes since the beginning of a body, or of the event that comes now. */
function createCounter(isEvents: boolean): (chunk: Uint8Array) => number {
  let bytes = 0
  let isEmptyLine = true
  return chunk => {
    if (!isEvents) {
      bytes += chunk.length
      return bytes
    }
    let most = 0
    for (const byte of chunk) {
      bytes += 1
      if (byte === NEWLINE) {
        if (isEmptyLine) {
          most = Math.max(most, bytes)
          bytes = 0
        }
        isEmptyLine = true
      } else if (byte !== RETURN) isEmptyLine = false
    }
    return Math.max(most, bytes)
  }
}

/**
 * A `fetch` whose answers hold at most so many bytes: a stream of events may go on for ever, and each of its events has
 * that many. What is more ends the body, and is told.
 */
export function boundedFetch(maxBytes: number, onTooMuch: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const count = createCounter(isEvents)
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (count(chunk) <= maxBytes) return controller.enqueue(chunk)
          controller.error(new Error(`an answer of more than ${maxBytes} bytes`))
          onTooMuch()
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}

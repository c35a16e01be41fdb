import { StringDecoder } from 'node:string_decoder'
import { deserializeMessage, type JSONRPCMessage, serializeMessage } from './sdk.js'
import { END_LIMITS, type EndLimits, type ServerCommand, ServerProcess } from './server-process.js'
import { WholeLines } from './whole-lines.js'

/** How a program is spoken to. */
export interface StdioTransportOptions {
  /** A line of standard error. */
  onLine(line: string): void
  /** A line of standard output that is no message. */
  onGarbage(line: string): void
  /** Bytes of one message with the end of its line. Default 64 MiB: more ends the connection. */
  readonly maxMessageBytes?: number
  readonly endLimits?: EndLimits
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
const MOST_OF_A_LINE = 10_000
/** What a program started may hold its output open after it has ended. */
const LAST_WORDS_MS = 1_000

/** Whole lines of a stream of text, the last one too if nothing ends it. A line that is too long keeps its end. */
function followLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const take = (line: string): void => {
    if (line.trim() !== '') onLine(line)
  }
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(-MOST_OF_A_LINE)
    for (const line of lines) take(line)
  })
  stream.on('end', () => take(rest + decoder.end()))
  stream.on('error', () => {})
}

/**
 * Speaks to a program over its standard input and output, one message a line. Beside what the SDK's own transport does, it
 * takes long messages without copying them again for each piece, and leaves nothing behind that the program started.
 */
export class StdioTransport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #command: ServerCommand
  readonly #options: StdioTransportOptions
  #process: ServerProcess | undefined
  #isClosed = false
  #tellClosed: () => void = () => {}
  readonly #closed = new Promise<void>(resolve => {
    this.#tellClosed = resolve
  })

  constructor(command: ServerCommand, options: StdioTransportOptions) {
    this.#command = command
    this.#options = options
  }

  async start(): Promise<void> {
    if (this.#process !== undefined || this.#isClosed) throw new Error('This transport was started already')
    const server = new ServerProcess(this.#command)
    this.#process = server
    const { child } = server
    const { stdin, stdout, stderr } = child
    stdin?.on('error', () => {})
    stdout?.on('error', () => {})
    const { maxMessageBytes = MAX_MESSAGE_BYTES, onLine } = this.#options
    const lines = new WholeLines(maxMessageBytes, () => {
      if (this.#isClosed) return
      onLine(
        `wrote a message of more than ${maxMessageBytes} bytes to standard output, which ends the connection`,
      )
      void this.close()
    })
    stdout?.pipe(lines).on('data', (line: Buffer) => this.#take(line.toString('utf8')))
    if (stderr !== null) followLines(stderr, onLine)
    child.once('close', () => void this.close())
    child.once('exit', () => this.#closeSoon())
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#process?.child.stdin
      if (this.#isClosed || stdin === undefined || stdin === null || !stdin.writable)
        return reject(new Error('Not connected'))
      stdin.write(serializeMessage(message), error => {
        if (!error) return resolve()
        // Who does not read any more has ended, or will: its last words come first.
        void this.#closed.then(() => reject(error))
        this.#closeSoon()
      })
    })
  }

  /** Ends the program and whatever it started. Idempotent. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#tellClosed()
      this.onclose?.()
    }
    await this.#process?.close(this.#options.endLimits ?? END_LIMITS)
    this.#process?.child.stdout?.destroy()
    this.#process?.child.stderr?.destroy()
  }

  #closeSoon(): void {
    setTimeout(() => void this.close(), LAST_WORDS_MS).unref()
  }

  #take(line: string): void {
    if (this.#isClosed || line.trim() === '') return
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch {
      this.#options.onGarbage(line.replace(/\r?\n$/, ''))
      return
    }
    this.onmessage?.(message)
  }
}
